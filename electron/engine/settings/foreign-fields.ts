/** Other clients' fields. Harmless, so pasted blocks work; each gives a notice with the alternative. */
export const IGNORED_FIELDS: Readonly<Record<string, string>> = {
  alwaysAllow: 'which calls are allowed without asking stays with the client',
  alwaysLoad: 'Sluice lists every tool that is not hidden',
  auth: 'to sign in use the Servers screen or "sluice sign-in NAME"; a token goes into headers',
  autoApprove: 'which calls are allowed without asking stays with the client',
  description: 'it is for people only',
  dev: 'it is for people who work on the server',
  disabledTools: 'to hide a tool here, set tools.NAME.hidden',
  enabledTools: 'to hide a tool here, set tools.NAME.hidden',
  envFile: 'it is not read: put the variables into env, or name your own there as ${env:NAME}',
  excludeTools: 'to hide a tool here, set tools.NAME.hidden',
  gallery: 'it is for people only',
  icon: 'it is for people only',
  includeTools: 'to hide a tool here, set tools.NAME.hidden',
  initTimeout: 'use startTimeoutSeconds, which is in seconds',
  name: 'the key of the entry is its name here',
  oauth: 'to sign in use the Servers screen or "sluice sign-in NAME"; a client id goes into signIn',
  source: 'it is for people only',
  timeout: 'use timeoutSeconds, which is in seconds',
  trust: 'which calls are allowed without asking stays with the client',
  version: 'it is for people only',
  watchPaths: 'the server is not restarted when files change',
}

/** Synonyms of `url`; Gemini's `httpUrl` and Windsurf's `serverUrl` mean Streamable HTTP. */
export const URL_FIELDS: readonly string[] = ['httpUrl', 'serverUrl']

/** Opposite of `disabled`. */
export const ENABLED_FIELDS: readonly string[] = ['enabled', 'isActive']

/** Synonyms of `type`. */
export const TYPE_FIELDS: readonly string[] = ['transport', 'transportType']

/** Synonyms of its values. */
export const TYPE_VALUES: Readonly<Record<string, string>> = {
  local: 'stdio',
  remote: 'http',
  streamable: 'http',
  streamable_http: 'http',
}

/** In other clients' files, beside `mcpServers`. */
export const IGNORED_TOP_LEVEL: Readonly<Record<string, string>> = {
  inputs: 'Sluice asks for no values; name environment variables as ${env:NAME}',
}
