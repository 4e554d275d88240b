import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { JsonObject } from '../protocol/json-rpc.ts'

const validator = new AjvJsonSchemaValidator()

/**
 * Whether values satisfy a tool's `outputSchema`, judged as SDK clients judge it. A schema that can't be compiled is
 * satisfied by nothing: the client would refuse whatever differs from the server's own value.
 */
export function outputCheck(schema: JsonObject | undefined): (value: JsonObject) => boolean {
  if (schema === undefined) return () => true
  try {
    const check = validator.getValidator(schema)
    return (value) => check(value).valid
  } catch {
    return () => false
  }
}
