import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Configuration } from 'electron-builder'

export interface DistSettings {
  readonly systems: readonly System[]
  /** electron-builder's names; empty: this machine's. */
  readonly processors: readonly Processor[]
  /** Without installers. */
  readonly dir: boolean
  readonly gpu: Gpu
  /** GGUF file to include. */
  readonly model: string | undefined
  readonly updates: UpdateFeed | undefined
}

export type System = 'mac' | 'win' | 'linux'
export type Processor = 'x64' | 'arm64'
export type UpdateFeed =
  | { readonly provider: 'github'; readonly owner: string; readonly repo: string }
  | { readonly provider: 'generic'; readonly url: string }

/** Compiled parts of llama.cpp: `vulkan` runs on most graphics cards; macOS always includes Metal. */
const gpus = ['none', 'vulkan', 'cuda'] as const
export type Gpu = (typeof gpus)[number]

export const distUsage = `npm run dist -- [OPTION…]
  --mac, --win, --linux   what to pack for; this system when left out
  --x64, --arm64          the processor; this machine's when left out
  --dir                   only the folder of files, no installer
  --gpu none|vulkan|cuda  graphics cards that the local model can use; vulkan when left out. cuda holds vulkan, too
  --model FILE.gguf       a model that comes with the app; its licence is yours to look at
  --updates github:OWNER/REPO|https://…
                          where the app looks for newer versions; nowhere when left out
`

export function readDistSettings(args: readonly string[]): DistSettings {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      mac: flag,
      win: flag,
      linux: flag,
      x64: flag,
      arm64: flag,
      dir: flag,
      gpu: text,
      model: text,
      updates: text,
    },
  })
  return {
    systems: (['mac', 'win', 'linux'] as const).filter((system) => values[system]),
    processors: (['x64', 'arm64'] as const).filter((processor) => values[processor]),
    dir: values.dir,
    gpu: readGpu(values.gpu),
    model: values.model === undefined ? undefined : readModel(values.model),
    updates: values.updates === undefined ? undefined : readFeed(values.updates),
  }
}

function readGpu(value = 'vulkan'): Gpu {
  const gpu = gpus.find((known) => known === value)
  if (gpu === undefined) throw new Error(`--gpu is one of ${gpus.join(', ')}, not "${value}".`)
  return gpu
}

function readModel(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!path.endsWith('.gguf') || !found?.isFile()) {
    throw new Error(`--model needs a .gguf file that exists, not "${path}".`)
  }
  return resolve(path)
}

function readFeed(value: string): UpdateFeed {
  const [, owner, repo] = /^github:([\w.-]+)\/([\w.-]+)$/.exec(value) ?? []
  if (owner !== undefined && repo !== undefined) return { provider: 'github', owner, repo }
  if (URL.canParse(value) && new URL(value).protocol === 'https:') return { provider: 'generic', url: value }
  throw new Error(`--updates is github:OWNER/REPO or an https address, not "${value}".`)
}

/**
 * A copy of electron-builder.yml's configuration with one build's settings.
 * @param modelIndex from `writeBundledIndex`
 */
export function applySettings(
  config: Configuration,
  { gpu, model, updates }: DistSettings,
  modelIndex?: string,
): Configuration {
  const files = listed(config.files)
  const cuda = files.indexOf(WITHOUT_CUDA)
  if (cuda < 0) throw new Error(`electron-builder.yml no longer has the line "${WITHOUT_CUDA}".`)
  if (gpu === 'cuda') files.splice(cuda, 1)
  if (gpu === 'none') files.push('!node_modules/@node-llama-cpp/*-vulkan/**')
  return {
    ...config,
    files,
    ...(model !== undefined && {
      extraResources: [
        ...listed(config.extraResources),
        ...[model, modelIndex]
          .filter((path) => path !== undefined)
          .map((path) => ({ from: path, to: `models/${basename(path)}` })),
      ],
    }),
    ...(updates !== undefined && {
      publish: updates.provider === 'github' ? { ...updates, releaseType: 'draft' } : updates,
    }),
  }
}

const WITHOUT_CUDA = '!node_modules/@node-llama-cpp/*-cuda*/**'

const listed = <T>(value: T | readonly T[] | null | undefined): T[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? [...value] : [value as T]
