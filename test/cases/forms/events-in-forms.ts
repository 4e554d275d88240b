export type Level = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'
export interface Event {
  readonly at: Date
  readonly number: number
  readonly level: Level
  readonly part: string
  readonly message: string
}

const letter: Readonly<Record<Level, string>> = { DEBUG: 'D', INFO: 'I', WARN: 'W', ERROR: 'E' }
const pino: Readonly<Record<Level, number>> = { DEBUG: 20, INFO: 30, WARN: 40, ERROR: 50 }
const colour: Readonly<Record<Level, number>> = { DEBUG: 36, INFO: 32, WARN: 33, ERROR: 31 }
const priority: Readonly<Record<Level, number>> = { DEBUG: 135, INFO: 134, WARN: 132, ERROR: 131 }
const java: Readonly<Record<Level, string>> = {
  DEBUG: 'FINE',
  INFO: 'INFO',
  WARN: 'WARNING',
  ERROR: 'SEVERE',
}
const french: Readonly<Record<Level, string>> = {
  DEBUG: 'DÉBOGAGE',
  INFO: 'INFO',
  WARN: 'AVERTISSEMENT',
  ERROR: 'ERREUR',
}

const iso = ({ at }: Event) => at.toISOString()
const clock = (event: Event) => iso(event).slice(11, 19)

/** The same event as other programs write a line. */
export const EVENT_FORMS: Readonly<Record<string, (event: Event) => string>> = {
  'message alone': ({ message }) => message,
  'level and part': ({ level, part, message }) => `${level} ${part}: ${message}`,
  colons: ({ level, part, message }) => `${level}:${part}:${message}`,
  'ISO time': (event) => `${iso(event)} ${event.level.padEnd(5)} [${event.part}] ${event.message}`,
  tabs: (event) => `${iso(event)}\t${event.level.toLowerCase()}\t${event.part}\t${event.message}`,
  commas: (event) => `${iso(event)},${event.level},${event.part},"${event.message}"`,
  syslog: (event) =>
    `Nov 24 ${clock(event)} quay7 berthd[4117]: ${event.level} ${event.part}: ${event.message}`,
  'syslog 5424': (event) =>
    `<${priority[event.level]}>1 ${iso(event)} quay7 berthd 4117 ${event.part} - ${event.message}`,
  journal: (event) => `Nov 24 ${clock(event)} quay7 berthd[4117]: ${event.message}`,
  klog: (event) =>
    `${letter[event.level]}1124 ${clock(event)}.${100_000 + event.number}    4117 ${event.part}.go:${100 + (event.number % 7)}] ${event.message}`,
  log4j: (event) =>
    `2026-11-24 ${clock(event)},${100 + (event.number % 900)} ${event.level.padEnd(5)} [worker-${event.number % 6}] no.berth.${event.part}.Service - ${event.message}`,
  nginx: (event) =>
    `2026/11/24 ${clock(event)} [${event.level.toLowerCase()}] 4117#${event.number % 9}: *${event.number} ${event.part}: ${event.message}`,
  compose: (event) =>
    `${`berth-${event.part}-1`.padEnd(20)} | ${clock(event)} ${event.level} ${event.message}`,
  pods: (event) =>
    `[pod/berth-${((event.number * 7919) % 4096).toString(16)}/app] ${iso(event)} ${event.level} ${event.part} ${event.message}`,
  'container runtime': (event) =>
    `${iso(event)} ${event.level === 'ERROR' ? 'stderr' : 'stdout'} F ${event.level} ${event.part} ${event.message}`,
  'job log': (event) =>
    `${iso(event)} ${event.level === 'ERROR' ? '##[error]' : event.level === 'WARN' ? '##[warning]' : ''}${event.part}: ${event.message}`,
  'numbered stream': (event) => `${iso(event)} 01O ${event.part}: ${event.message}`,
  'json, number as level': (event) =>
    JSON.stringify({
      level: pino[event.level],
      time: Number(event.at),
      name: event.part,
      msg: event.message,
    }),
  'json, time last': (event) =>
    JSON.stringify({
      msg: event.message,
      component: event.part,
      severity: event.level,
      '@timestamp': iso(event),
    }),
  logfmt: (event) =>
    `time=${iso(event)} level=${event.level.toLowerCase()} component=${event.part} msg="${event.message}"`,
  colours: (event) =>
    `\u001B[90m${clock(event)}\u001B[0m \u001B[${colour[event.level]}m${event.level}\u001B[0m ${event.part} ${event.message}`,
  android: (event) =>
    `11-24 ${clock(event)}.${String(event.number % 1000).padStart(3, '0')}  4117  ${4117 + (event.number % 6)} ${letter[event.level]} ${event.part.padEnd(9)}: ${event.message}`,
  brackets: (event) => `[${iso(event)} ${event.level.padEnd(5)} berth::${event.part}] ${event.message}`,
  'seconds since start': (event) =>
    `[${(1.5 + event.number * 1.37).toFixed(6).padStart(12)}] ${event.part}: ${event.message}`,
  'process between equals': (event) => `==4117== ${event.part}: ${event.message}`,
  'clock and level': (event) => `${clock(event)}.123 [${event.level.toLowerCase()}] ${event.message}`,
  'two lines': (event) =>
    `Nov 24, 2026 ${clock(event)} AM no.berth.${event.part}.Service run\n${java[event.level]}: ${event.message}`,
  'French levels': (event) => `${clock(event)} ${french[event.level]} ${event.part} ${event.message}`,
}
