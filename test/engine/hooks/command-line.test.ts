import { expect, it } from 'vitest'
import { commandsOf } from '../../../electron/engine/hooks/command-line.ts'
import { wordsOfCommand } from '../../../electron/engine/hooks/words-of-command.ts'

const programs = (line: string) => commandsOf(line).map(({ program }) => program)

it('finds the programs of a line', () => {
  expect(programs('cd src && FOO=1 sudo /usr/bin/grep.exe -rn "a | b; c" . | head -5; ls\nwc -l x')).toEqual([
    'cd',
    'grep',
    'head',
    'ls',
    'wc',
  ])
  expect(programs('')).toEqual([])
  expect(programs("echo 'open quote")).toEqual(['echo'])
})

it('takes what a command looks for, and nothing else', () => {
  const words = (command: string) => wordsOfCommand({ command })
  expect(words('rg -n "session timeout" src | head')).toBe('session timeout')
  expect(words('git log --oneline && git grep -n refuseForeign')).toBe('refuseForeign')
  expect(words('npx vitest run -t "keeps the port"')).toBe('keeps the port')
  expect(words('dotnet test --filter=Name~Login')).toBe('Name~Login')
  expect(words('npm run build')).toBeUndefined()
  expect(wordsOfCommand(undefined)).toBeUndefined()
})
