import type { JsonObject } from '../../protocol/json-rpc.ts'
import { currentKeywords } from './current-keywords.ts'
import { mergeAlternatives } from './merge-alternatives.ts'
import { plainNames, renamedParameters } from './plain-names.ts'
import { plainReferences } from './plain-references.ts'

/**
 * An input schema that strict clients take: keywords of JSON Schema 2020-12, no circles of `$ref`, an object without
 * alternatives at its top, plain names. Every parameter stays, and arguments that fitted fit. The same object where
 * nothing of it is in the way.
 */
export const plainSchema = (schema: JsonObject): JsonObject => plainNames(withOwnNamesStill(schema))

/** The names by which `plainSchema` shows parameters, and the server's own. */
export const plainSchemaNames = (schema: JsonObject): ReadonlyMap<string, string> =>
  renamedParameters(withOwnNamesStill(schema))

const withOwnNamesStill = (schema: JsonObject): JsonObject =>
  asObject(mergeAlternatives(plainReferences(currentKeywords(schema))))

const asObject = (schema: JsonObject): JsonObject =>
  schema['type'] === 'object' && 'properties' in schema
    ? schema
    : { ...schema, type: 'object', properties: schema['properties'] ?? {} }
