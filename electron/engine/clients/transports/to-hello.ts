import { z } from 'zod'
import { SluiceError } from '../../ground/errors.ts'
import { ProfileName } from '../../../../shared/profile-settings.ts'
import { ServerId } from '../../../../shared/settings.ts'
import type { ConnectorHello, GiveWay, HookHello } from '../connector/connector-hello.ts'

const Connector = z.object({
  sluice: z.literal(1),
  scope: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('all'), profile: ProfileName.exactOptional() }),
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

const Name = z.string().min(1).max(100)
const Hook = z.object({
  sluice: z.literal(1),
  hook: z.object({ app: Name, event: Name }),
}) satisfies z.ZodType<HookHello>

const Hello = z.union([Connector, Engine, Hook])

/** Throws BAD_INPUT. */
export function toHello(value: unknown): ConnectorHello | GiveWay | HookHello {
  const { data, error } = Hello.safeParse(value)
  if (data) return data
  throw new SluiceError('BAD_INPUT', z.prettifyError(error))
}
