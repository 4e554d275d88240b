import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { JsonObject } from '../protocol/json-rpc.ts'

const validator = new AjvJsonSchemaValidator()

/** Validates values against a tool's `outputSchema` like SDK clients do. A schema that doesn't compile accepts nothing: the client would reject any value but the server's own. */
export function outputCheck(schema: JsonObject | undefined): (value: JsonObject) => boolean {
  if (schema === undefined) return () => true
  try {
    const check = validator.getValidator(schema)
    return (value) => check(value).valid
  } catch {
    return () => false
  }
}
