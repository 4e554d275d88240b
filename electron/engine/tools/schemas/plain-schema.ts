import type { JsonObject } from '../../protocol/json-rpc.ts'
import { currentKeywords } from './current-keywords.ts'
import { mergeAlternatives } from './merge-alternatives.ts'
import { plainNames, renamedParameters } from './plain-names.ts'
import { plainReferences } from './plain-references.ts'

/**
 * 2020-12 keywords, no `$ref` cycles, no top-level alternatives, plain names. Keeps every parameter and accepts all
 * earlier arguments. The same object if nothing changes.
 */
export const plainSchema = (schema: JsonObject): JsonObject => plainNames(withOwnNamesStill(schema))

/** Plain names → the server's. */
export const plainSchemaNames = (schema: JsonObject): ReadonlyMap<string, string> =>
  renamedParameters(withOwnNamesStill(schema))

const withOwnNamesStill = (schema: JsonObject): JsonObject =>
  asObject(mergeAlternatives(plainReferences(currentKeywords(schema))))

const asObject = (schema: JsonObject): JsonObject =>
  schema['type'] === 'object' && 'properties' in schema
    ? schema
    : { ...schema, type: 'object', properties: schema['properties'] ?? {} }
