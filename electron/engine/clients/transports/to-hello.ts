import { z } from 'zod'
import { SluiceError } from '../../ground/errors.ts'
import { ServerId } from '../../../../shared/settings.ts'
import type { ConnectorHello, GiveWay } from '../connector/connector-hello.ts'

const Connector = z.object({
  sluice: z.literal(1),
  scope: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('all') }),
    z.object({ kind: z.literal('server'), serverId: ServerId }),
    z.object({ kind: z.literal('sluice') }),
  ]),
  client: z.object({
    name: z.string().min(1).max(200).exactOptional(),
    cwd: z.string().exactOptional(),
    env: z.record(z.string(), z.string()).exactOptional(),
  }),
}) satisfies z.ZodType<ConnectorHello>

const Engine = z.object({ sluice: z.literal(1), giveWay: z.literal(true) }) satisfies z.ZodType<GiveWay>

const Hello = z.union([Connector, Engine])

/** Throws BAD_INPUT. */
export function toHello(value: unknown): ConnectorHello | GiveWay {
  const { data, error } = Hello.safeParse(value)
  if (data) return data
  throw new SluiceError('BAD_INPUT', z.prettifyError(error))
}
