import { execFile } from 'node:child_process'

/** Prints `(true,)` or `(false,)`. */
const ASK = [
  'call',
  '--session',
  '--dest',
  'org.freedesktop.DBus',
  '--object-path',
  '/org/freedesktop/DBus',
  '--method',
  'org.freedesktop.DBus.NameHasOwner',
  'org.kde.StatusNotifierWatcher',
]
const ANSWER_MS = 2_000

type Run = (command: string, args: readonly string[]) => Promise<string>

const runQuietly: Run = (command, args) =>
  new Promise((resolve, reject) => {
    execFile(command, args, { timeout: ANSWER_MS }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
  })

/** GNOME without an AppIndicator extension shows no tray icons. Unknown counts as shown. */
export async function showsTray(platform: NodeJS.Platform, run: Run = runQuietly): Promise<boolean> {
  if (platform !== 'linux') return true
  const answer = await run('gdbus', ASK).catch(() => '')
  return !answer.includes('false')
}
