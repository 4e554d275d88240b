import type { Machine } from '../../ground/surroundings.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Launcher } from '../entries/sluice-entry.ts'

/** What an app's hooks are written from. */
export interface HookPlace {
  readonly machine: Machine
  readonly launcher: Launcher
  /** `http://127.0.0.1:7424`. */
  readonly url: string
  /** For this app's hooks only. */
  readonly token: string
  /** Without those that another product's hook has. */
  readonly tools: readonly string[]
}

/** One entry of `hooks.EVENT`. */
export interface HookEntry {
  readonly event: string
  readonly value: JsonObject
}

interface AppHooks {
  readonly id: string
  readonly label: string
  /** For the user. */
  readonly file: (machine: Machine) => string
  /** What the user has to do or know. */
  readonly remarks: readonly string[]
  /** Rules that let agents read kept originals without a question; offered, never written. */
  readonly allowRules?: (place: {
    readonly readCommand: string
    readonly dataDir: string
  }) => readonly string[]
}

/** Entries beside the user's in the app's file. */
interface SharedHooks extends AppHooks {
  readonly kind: 'shared'
  /** Of a file that isn't there yet. */
  readonly base: JsonObject
  /** Whose entries other products may have, too; the last to finish wins. */
  readonly outputEvent: string | undefined
  readonly entries: (place: HookPlace) => readonly HookEntry[]
}

/** A file of Sluice's own. */
interface OwnHooks extends AppHooks {
  readonly kind: 'own'
  readonly text: (place: HookPlace) => string
}

export type HookSpec = SharedHooks | OwnHooks
