import { resolve } from 'node:path'
import { RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { Connection, Dialer, OpenLinkDependencies } from './connection.ts'
import { closedOnPurpose, type Launch, processLost, spawnFailure, startFailure } from './describe-failure.ts'
import type { DialOptions } from '../../protocol/link.ts'
import { ProcessGroup } from './process-group.ts'
import { ServerLog } from './server-log.ts'
import { cleanPlain } from '../../ground/secrets/redact.ts'
import { StdioChannel } from './stdio-channel.ts'

export const connectStdio: Dialer = async (deps, options, logger) => {
  const launch = launchOf(deps, options)
  deps.guard?.prepare(launch)
  const group = await ProcessGroup.start({
    ...launch,
    ...(deps.guard ? { onStarted: (pid: number) => deps.guard?.add(pid) } : {}),
    ...(deps.endSteps === undefined ? {} : { endSteps: deps.endSteps }),
  }).catch((error: unknown) => Promise.reject(spawnFailure(launch, error)))
  if (deps.guard) unguardWhenEnded(group, deps.guard)
  const log = new ServerLog(logger, launch.clean)
  const state = { isClosing: false }
  const channel = new StdioChannel({
    group,
    log,
    maxMessageBytes: deps.limits().maxMessageBytes,
    parseLarge: deps.parseLarge,
    room: deps.room,
    onAnswerLost: (id, error) => connection.onAnswerLost(id, error),
  })
  const connection: Connection = {
    channel,
    pid: group.pid,
    onAnswerLost: () => {},
    closingError: () =>
      state.isClosing
        ? closedOnPurpose(options.serverId)
        : processLost(options.serverId, channel.exit, log.lastLines()),
    explain: (error) => error,
    explainStart: (error) => {
      const isServersOwn = error instanceof RpcError && error.code !== RpcErrorCode.requestTimeout
      return isServersOwn ? error : startFailure(launch, channel.exit, log, error)
    },
    close: () => {
      state.isClosing = true
      return channel.close()
    },
  }
  return connection
}

function unguardWhenEnded(group: ProcessGroup, guarding: NonNullable<OpenLinkDependencies['guard']>): void {
  const end = async (): Promise<void> => {
    await group.exited
    if (await group.end()) guarding.remove(group.pid)
  }
  void end()
}

function launchOf(deps: OpenLinkDependencies, options: DialOptions): Launch {
  const { serverId, settings } = options
  return {
    serverId,
    command: settings.command ?? '',
    args: settings.args ?? [],
    cwd: folderOf(deps, options),
    env: { ...(options.env ?? deps.env), ...settings.env },
    clean: deps.clean ?? cleanPlain,
  }
}

export function folderOf(
  deps: Pick<OpenLinkDependencies, 'cwd'>,
  { cwd, settings }: Pick<DialOptions, 'cwd' | 'settings'>,
): string | undefined {
  const folder = cwd ?? deps.cwd
  return settings.cwd === undefined ? folder : resolve(folder ?? '', settings.cwd)
}
