// What the scenarios of the conformance suite expect of a server in all revisions: tools that need nothing of the client,
// prompts and resources.

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

export const text = (/** @type {string} */ words) => ({ type: "text", text: words });
const image = { type: "image", data: PNG, mimeType: "image/png" };
export const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
const embedded = (/** @type {string} */ uri, /** @type {string} */ mimeType, /** @type {string} */ content) => ({
  type: "resource",
  resource: { uri, mimeType, text: content },
});

/** @type {Record<string, (args: any) => any[]>} */
export const SIMPLE_TOOLS = {
  test_simple_text: () => [text("This is a simple text response for testing.")],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: "audio", data: WAV, mimeType: "audio/wav" }],
  test_embedded_resource: () => [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
  test_multiple_content_types: () => [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
  test_error_handling() {
    throw new Error("This tool intentionally returns an error for testing");
  },
  json_schema_2020_12_tool: (args) => [text(JSON.stringify(args))],
};

/** @type {Record<string, any>} */
export const SCHEMAS = {
  test_sampling: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
  test_elicitation: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

/** @type {Record<string, {arguments?: any[], messages: (args: any) => any[]}>} */
export const PROMPTS = {
  test_simple_prompt: { messages: () => [text("This is a simple prompt for testing.")] },
  test_prompt_with_arguments: {
    arguments: [
      { name: "arg1", required: true },
      { name: "arg2", required: true },
    ],
    messages: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  },
  test_prompt_with_embedded_resource: {
    arguments: [{ name: "resourceUri", required: true }],
    messages: ({ resourceUri }) => [
      embedded(resourceUri, "text/plain", "Embedded resource content for testing."),
      text("Please process the embedded resource above."),
    ],
  },
  test_prompt_with_image: { messages: () => [image, text("Please analyze the image above.")] },
};

/** @type {Record<string, any>} */
export const RESOURCES = {
  "test://static-text": { mimeType: "text/plain", text: "This is the content of the static text resource." },
  "test://static-binary": { mimeType: "image/png", blob: PNG },
  "test://watched-resource": { mimeType: "text/plain", text: "It never changes." },
};

/** Returns the content of a resource of the template. */
export function ofTemplate(/** @type {string} */ uri) {
  const id = uri.match(/^test:\/\/template\/(.*)\/data$/)?.[1];
  return id && { mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) };
}

/** The template of resources. */
export const TEMPLATE = { uriTemplate: "test://template/{id}/data", name: "template", mimeType: "application/json" };
