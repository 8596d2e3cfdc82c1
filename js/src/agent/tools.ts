/** The tools that are sent with every request: an array of a provider's definitions, or the AI SDK's tools by name. */

type Fields = { readonly [name: string]: unknown };

/** Returns the definitions of tools as JSON can represent them, in the same order. */
export function definitionsOf(tools: unknown): unknown {
    if (typeof tools !== 'object' || tools === null || Array.isArray(tools)) {
        return tools;
    }
    return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, definitionOf(name, tool as Fields)]));
}

/** Returns the tools at these indexes. */
export function toolsAt<Tools>(indexes: readonly number[], tools: Tools): Tools {
    if (Array.isArray(tools)) {
        // Providers reject an empty list.
        return (indexes.length === 0 ? undefined : indexes.map((index) => tools[index] as unknown)) as Tools;
    }
    const members = Object.entries(tools as object);
    return Object.fromEntries(indexes.map((index) => members[index]!)) as Tools;
}

/** Describes a tool of the AI SDK by the members that can be read without its schema library. */
function definitionOf(name: string, tool: Fields | undefined): Fields {
    const { type, description, args, inputSchema } = tool ?? {};
    return { type, name, description, args, inputSchema: schemaOf(inputSchema) };
}

interface StandardSchema {
    jsonSchema?: { input?: (options: { target: string }) => unknown };
}

/** Returns a schema as JSON Schema. The AI SDK's schemas have it as a member, a Standard Schema as a function. */
function schemaOf(schema: unknown): unknown {
    const given = (typeof schema === 'function' ? undefined : schema) as Fields | null | undefined;
    if (given?.jsonSchema !== undefined) {
        return given.jsonSchema;
    }
    try {
        const standard = given?.['~standard'] as StandardSchema | undefined;
        return standard?.jsonSchema?.input?.({ target: 'draft-07' });
    } catch {
        // Not every schema can be represented as JSON Schema.
        return undefined;
    }
}
