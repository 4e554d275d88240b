import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/** An empty or relative HOME would put settings and secrets into the current folder. */
export const homeFolder = (home = homedir()): string => (isAbsolute(home) ? home : userInfo().homedir)
