import type { ServerSettings } from '../../../../shared/settings.ts'

const SECRET_PLACEHOLDER = /\$\{secret:([^}]*)\}/g

export function secretNamesIn(server: ServerSettings): string[] {
  const { command, args, cwd, url, env, headers, signIn } = server
  const texts = [
    command,
    cwd,
    url,
    ...(args ?? []),
    ...Object.values(env ?? {}),
    ...Object.values(headers ?? {}),
    signIn?.clientSecret,
  ]
  const names = texts.flatMap((text) =>
    [...(text ?? '').matchAll(SECRET_PLACEHOLDER)].map(([, name]) => name ?? ''),
  )
  return [...new Set(names)]
}
