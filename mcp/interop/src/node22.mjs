// Lets a program that needs Node 22 run on Node 20: `node --import THIS PROGRAM`. The conformance
// suite imports `globSync`, which it uses only for command line options that are not used here.

import { register } from "node:module";
import * as fs from "node:fs";

const shim = `export * from "node:fs"; export { default } from "node:fs";
export function globSync() { throw new Error("globSync needs Node 22"); }`;
const shimUrl = `data:text/javascript,${encodeURIComponent(shim)}`;
const hooks = `export function resolve(specifier, context, next) {
  return specifier === "fs" && context.parentURL?.includes("/conformance") ? { url: ${JSON.stringify(shimUrl)}, shortCircuit: true } : next(specifier, context);
}`;
if (!("globSync" in fs)) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
