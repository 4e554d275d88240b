import { z } from 'zod'
import { ServerId } from '../../shared/settings.ts'

export const LINK_SCHEME = 'sluice'

/** A link naming one could run anything behind a harmless name. */
const SHELL =
  /(?:^|[\\/])(?:sh|bash|zsh|dash|ksh|fish|csh|tcsh|cmd|powershell|pwsh|wscript|cscript|osascript|env|sudo|xargs)(?:\.exe)?$/i

const Program = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => !/[\p{Cc}\p{Cf}"'`$;&|<>*?]/u.test(text), 'It must be the name or path of one program.')
  .refine((text) => !SHELL.test(text), 'A link may not start a shell.')

const Argument = z
  .string()
  .max(2000)
  .refine((text) => !/[\p{Cc}\p{Cf}]/u.test(text), 'Hidden characters are not allowed.')

/** Without values of variables and headers, because links are passed around. */
const AddLink = z
  .strictObject({
    name: ServerId,
    command: Program.optional(),
    args: z.array(Argument).max(50),
    url: z
      .url({ protocol: /^https$/ })
      .max(2000)
      .optional(),
    env: z.array(z.string().regex(/^[A-Za-z_]\w{0,99}$/, 'Only names of variables are allowed.')).max(30),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    message: 'It needs either a command or an https url.',
  })
  .refine(({ url, args, env }) => url === undefined || (args.length === 0 && env.length === 0), {
    message: 'A url takes neither arguments nor variables.',
  })
export type AddLink = z.infer<typeof AddLink>

export type ParsedLink =
  | { readonly ok: true; readonly link: AddLink }
  | { readonly ok: false; readonly why: string }

const KNOWN = new Set(['name', 'command', 'arg', 'url', 'env'])

/** `sluice://add?name=files&command=npx&arg=-y&arg=@scope/server` or `sluice://add?name=docs&url=https://…`. */
export function parseLink(text: string): ParsedLink {
  if (text.length > 8000 || !URL.canParse(text)) return { ok: false, why: "It isn't a valid address." }
  const { protocol, host, pathname, searchParams } = new URL(text)
  const action = `${host}${pathname}`.replace(/\/+$/, '')
  if (protocol !== `${LINK_SCHEME}:` || action !== 'add')
    return { ok: false, why: `Links look like ${LINK_SCHEME}://add?name=…` }
  const unknown = [...searchParams.keys()].find((key) => !KNOWN.has(key))
  if (unknown !== undefined) return { ok: false, why: `"${unknown}" is not known.` }
  const parsed = AddLink.safeParse({
    name: searchParams.get('name') ?? '',
    command: searchParams.get('command') ?? undefined,
    args: searchParams.getAll('arg'),
    url: searchParams.get('url') ?? undefined,
    env: searchParams.getAll('env'),
  })
  if (parsed.success) return { ok: true, link: parsed.data }
  const [issue] = parsed.error.issues
  const where = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
  return { ok: false, why: `${where}${issue?.message ?? 'It is not valid.'}` }
}

export function routeOfLink({ name, command, args, url, env }: AddLink): string {
  const server =
    url === undefined
      ? {
          command,
          ...(args.length > 0 ? { args } : {}),
          ...(env.length > 0 ? { env: Object.fromEntries(env.map((key) => [key, `\${env:${key}}`])) } : {}),
        }
      : { url }
  const text = JSON.stringify({ mcpServers: { [name]: server } }, null, 2)
  return `/servers?add=link&snippet=${encodeURIComponent(text)}`
}

/** The system appends the link. */
export const linkIn = (argv: readonly string[]): string | undefined =>
  argv.findLast((word) => word.toLowerCase().startsWith(`${LINK_SCHEME}:`))
