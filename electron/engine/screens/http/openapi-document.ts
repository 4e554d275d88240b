import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import { contract } from '../../../../shared/api/contract.ts'

export function openApiDocument(version: string): Promise<object> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  return generator.generate(contract, {
    info: {
      title: 'Sluice',
      version,
      description:
        'What the screens use. Send the token of the data folder as "Authorization: Bearer TOKEN". Tokens of texts are o200k_base, times Unix milliseconds.',
    },
    servers: [{ url: '/api' }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  })
}
