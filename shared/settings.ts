import { z } from 'zod'
import { BudgetName, BudgetSettings } from './budget-settings.ts'
import { GuardDetector } from './guard-policy.ts'
import { httpUrl } from './http-url.ts'
import { ModelSettings } from './model-settings.ts'
import { ResultsSettings } from './results-settings.ts'
import { type Policy, policyOverrides, toolList } from './policy.ts'
import { ProfileName, ProfileSettings } from './profile-settings.ts'
import { isReserved, MAX_SERVER_ID, SERVER_ID } from './server-id.ts'

export const ServerId = z
  .string()
  .max(MAX_SERVER_ID, `Use at most ${MAX_SERVER_ID} characters.`)
  .regex(
    SERVER_ID,
    'Use letters, digits, "-" and single "." or "_" between them, starting with a letter or digit.',
  )
  .refine((id) => !isReserved(id), '"sluice" and names that begin with "builtIn." are Sluice\'s own.')

export const ToolSettings = z.strictObject({
  hidden: z.boolean().optional().describe('Not listed, and refused when called.'),
  description: z.string().optional().describe("Replaces the tool's own description."),
  hideParameters: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Parameters the model does not see; dotted paths reach nested ones. A required one needs an override.',
    ),
  parameterOverrides: z
    .record(z.string().min(1), z.json())
    .optional()
    .describe('Values that always take the place of what the model sent; keys are dotted paths.'),
  timeoutSeconds: z
    .number()
    .positive()
    .optional()
    .describe("As the server's, for this tool alone: time without an answer or progress."),
  ...policyOverrides,
})
export type ToolSettings = z.infer<typeof ToolSettings>

/** Of an AI app's own tool, whose output a hook hands over. */
const BuiltInToolSettings = z.strictObject(policyOverrides)

const SERVER_TYPES = ['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'] as const

/** `${env:NAME}` is checked once resolved. */
const isHttpUrl = (text: string): boolean =>
  /\$\{(?:env|secret):/.test(text) || z.url({ protocol: /^https?$/ }).safeParse(text).success

const atMostAnHour = z.number().positive().max(3600)

export const ServerSettings = z
  .strictObject({
    type: z
      .enum(SERVER_TYPES)
      .optional()
      .describe('stdio for a program, http or sse for a URL. Left out, it follows from command or url.'),
    command: z
      .string()
      .min(1)
      .optional()
      .describe('The program to start. Its arguments go into args, one by one.'),
    args: z.array(z.string()).optional().describe('What the program gets, one by one.'),
    env: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'Environment variables for the program. ${env:NAME} stands for one of your own, ${secret:NAME} for a kept secret.',
      ),
    cwd: z.string().optional().describe('The folder in which the program starts.'),
    url: z
      .string()
      .refine(isHttpUrl, 'Must be an address that starts with http:// or https://.')
      .optional()
      .describe('Address of a remote server.'),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        'HTTP headers for a remote server. ${secret:NAME} or ${env:NAME} keep secrets out of this file.',
      ),
    signIn: z
      .strictObject({
        clientId: z
          .string()
          .min(1)
          .optional()
          .describe('Where the server wants clients that it knows already.'),
        clientSecret: z
          .string()
          .min(1)
          .optional()
          .describe('The secret that belongs to clientId. ${secret:NAME} keeps it out of this file.'),
        clientMetadataUrl: z
          .url({ protocol: /^https$/ })
          .optional()
          .describe('Address of a client ID metadata document of your own, used in place of a registration.'),
        scopes: z
          .array(z.string().regex(/^[!#-[\]-~]+$/, 'A scope has no spaces, quotes or backslashes.'))
          .optional()
          .describe('Rights to ask for where the server does not say which it wants.'),
      })
      .optional()
      .describe(
        'For remote servers that want you to sign in with "sluice sign-in NAME" (OAuth). Mostly not needed.',
      ),
    shared: z
      .boolean()
      .optional()
      .describe(
        'One process for all clients in place of one for each. For servers that keep nothing per client; it gets the folder and the environment of the engine. Unless set, Sluice counts what would have gone wrong, and offers it on the Servers screen where nothing did; false: never.',
      ),
    start: z
      .enum(['when-used', 'with-client'])
      .optional()
      .describe(
        'Of a program. when-used: with the first call; its lists come from its last start, and are compared before the call goes. with-client: as soon as a client connects. Unless set: when-used once three starts in a row offered the same.',
      ),
    idleMinutes: z
      .number()
      .positive()
      .max(24 * 60)
      .optional()
      .describe(
        'Ends a program that was not used for so long; the next call starts it. For servers that keep nothing between calls. Unless set, it runs as long as its client.',
      ),
    disabled: z.boolean().optional().describe('Neither started nor listed.'),
    timeoutSeconds: z
      .number()
      .positive()
      .optional()
      .describe('Time without an answer or progress after which a call is given up.'),
    startTimeoutSeconds: atMostAnHour
      .optional()
      .describe('Time from the start of a server to its introduction. 60 unless set.'),
    reconnectSeconds: atMostAnHour
      .optional()
      .describe('How long a call waits for a remote server whose connection broke off. 5 unless set.'),
    tools: z
      .record(z.string(), ToolSettings)
      .optional()
      .describe("Settings per tool, by the server's own name for it."),
    toolList,
    ...policyOverrides,
  })
  .superRefine((server, context) => {
    const complain = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message })
    if (server.command !== undefined && server.url !== undefined) {
      complain('url', 'A server has either a command or a url, not both. Take one out.')
    } else if (server.command === undefined && server.url === undefined) {
      context.addIssue({
        code: 'custom',
        message: 'A server needs a command (a program to start) or a url (a remote server).',
      })
    } else if (server.shared !== undefined && server.url !== undefined) {
      complain('shared', 'Only a program can be shared: a remote server is one for all anyway. Take it out.')
    } else if (server.url !== undefined && (server.start !== undefined || server.idleMinutes !== undefined)) {
      const key = server.start === undefined ? 'idleMinutes' : 'start'
      complain(key, 'Only a program can be started when it is used. Take it out.')
    } else if (server.type === 'stdio' && server.command === undefined) {
      complain('type', 'Type "stdio" starts a program, but this server has a url. Use "http" or "sse".')
    } else if (server.type !== undefined && server.type !== 'stdio' && server.url === undefined) {
      complain('type', `Type "${server.type}" needs a url, but this server has a command. Use "stdio".`)
    }
  })
export type ServerSettings = z.infer<typeof ServerSettings>

const ClientSettings = z.strictObject({
  model: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'The model that it uses, such as claude-opus-5.5: money is computed at its list price. Unless set: the model that its hooks tell, if any.',
    ),
})

export const FreshCalls = z.enum(['read-only', 'all', 'never'])
export type FreshCalls = z.infer<typeof FreshCalls>

export const Settings = z.strictObject({
  $schema: z.string().optional().describe('Lets editors check this file and complete its keys.'),
  servers: z.record(ServerId, ServerSettings).default({}).describe('The MCP servers behind Sluice, by id.'),
  toolList,
  ...policyOverrides,
  builtIn: z
    .record(z.string(), z.record(z.string(), BuiltInToolSettings))
    .default({})
    .describe(
      'The own tools of AI apps, by app and tool, such as builtIn.claude-code.Bash; "*" stands for all tools of an app.',
    ),
  clients: z
    .record(z.string().min(1).max(200), ClientSettings)
    .default({})
    .describe('What Sluice cannot see of an AI app, by the name under which Activity lists it.'),
  budgets: z
    .record(BudgetName, BudgetSettings)
    .default({})
    .describe(
      'What AI apps may get through Sluice in a day or month. Nearing it, results get shorter; nothing is refused.',
    ),
  profiles: z
    .record(ProfileName, ProfileSettings)
    .default({})
    .describe(
      'Named sets of servers, for clients of all servers: `sluice connect --profile NAME`, `/mcp/p/NAME`.',
    ),
  profile: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The profile of clients that ask for none and that none is bound to; the tray switches it. Unless set, they have all servers. With a name that there is not, they have none.',
    ),
  results: ResultsSettings.prefault({}).describe('The originals of shortened results.'),
  cacheLimits: z
    .strictObject({
      maxEntries: z
        .int()
        .positive()
        .default(10_000)
        .describe('How many results and shortened forms are kept.'),
      maxBytes: z.int().positive().default(500_000_000).describe('Size of all of them together, as stored.'),
    })
    .prefault({})
    .describe('How much the cache keeps; what was not used for longest goes first.'),
  ledger: z
    .strictObject({
      keepDays: z.int().positive().default(400).describe('How long the record of calls is kept.'),
    })
    .prefault({})
    .describe('The record of calls and savings.'),
  limits: z
    .strictObject({
      maxMessageBytes: z
        .int()
        .min(1_000_000)
        .default(256_000_000)
        .describe('A larger message from a server fails that one call.'),
    })
    .prefault({}),
  http: z
    .strictObject({
      port: z.int().min(0).max(65535).default(7424).describe('Loopback port of /mcp and of the screens.'),
    })
    .prefault({}),
  guardDetectors: z
    .array(GuardDetector)
    .default([])
    .describe('Detectors besides the built-in rules and classifier.'),
  quarantine: z
    .strictObject({
      keepDays: z.number().positive().default(30).describe('How long quarantined results are kept.'),
      maxBytes: z.int().positive().default(200_000_000).describe('Size of all of them together, compressed.'),
    })
    .prefault({}),
  model: ModelSettings.prefault({}).describe('A model that writes: on this machine, or behind an address.'),
  network: z
    .strictObject({
      caFile: z
        .string()
        .min(1)
        .optional()
        .describe(
          "A file with certificates (PEM) of authorities that are trusted besides the usual ones: that of a company's proxy, for example. HTTPS_PROXY, HTTP_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS hold, too.",
        ),
    })
    .prefault({})
    .describe('How remote servers, sign-ins, downloads and endpoints are reached.'),
  telemetry: z
    .strictObject({
      endpoint: httpUrl('http://localhost:4318')
        .optional()
        .describe(
          'Address of an OpenTelemetry receiver (OTLP over HTTP). Times and sizes of calls go there, to /v1/traces and /v1/metrics; never arguments or results. Left out: nothing is recorded.',
        ),
      headers: z
        .record(z.string(), z.string())
        .optional()
        .describe('Headers for the receiver. ${secret:NAME} or ${env:NAME} keep secrets out of this file.'),
    })
    .prefault({})
    .describe('OpenTelemetry: traces and figures of calls, for those who collect them.'),
  exploration: z
    .strictObject({
      freshCalls: FreshCalls.default('read-only').describe(
        'Which tools proxy_ tools may call by themselves: those marked as only reading, all, or none.',
      ),
    })
    .prefault({}),
  goals: z
    .strictObject({
      fromPrompts: z
        .boolean()
        .default(true)
        .describe(
          "Results are shortened for what you asked, where the app's hooks tell it. Your words stay in memory.",
        ),
    })
    .prefault({}),
  approvals: z
    .strictObject({
      firstSight: z
        .enum(['ask', 'trust'])
        .default('ask')
        .describe(
          'ask: a new server is blocked until you approve it. trust: what is seen first is pinned, and only changes block.',
        ),
      approveTool: z
        .boolean()
        .default(false)
        .describe(
          'Offers models the tool approve_server_config, which asks you in the AI app whether a blocked server may be used. It opens the question; only you answer it.',
        ),
    })
    .prefault({}),
  logLevel: z
    .enum(['error', 'warn', 'info', 'debug'])
    .default('info')
    .describe('How much goes into the log.'),
})
export type Settings = z.infer<typeof Settings>

export interface ToolPolicy extends Policy {
  readonly hidden: boolean
  readonly description: string | undefined
  readonly hideParameters: readonly string[]
  readonly parameterOverrides: Readonly<Record<string, unknown>>
  readonly saysReadOnly?: boolean
}
