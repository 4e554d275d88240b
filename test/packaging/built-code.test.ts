import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI_BUILD } from '../helpers/fresh-build.ts'

const dist = dirname(dirname(CLI_BUILD))

describe('the built program', () => {
  // Vite escapes all but templates of String.raw; licences of packages keep their authors' names.
  it('has only Latin-1 characters in its code, because V8 keeps any other source at two bytes a character', () => {
    const files = globSync('electron/**/*.js', { cwd: dist })
    expect(files).toContain('electron/cli.js')
    const codeOf = (file: string): string =>
      readFileSync(join(dist, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
    expect(files.filter((file) => /[\u0100-\uffff]/.test(codeOf(file)))).toEqual([])
  })
})
