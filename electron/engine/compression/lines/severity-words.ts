/**
 * What a message says of itself, one row each with a line that says so and one that doesn't. `#` stands for a number
 * other than 0. "0 errors" and "no failures" never count.
 */
export const SEVERITY_WORDS: readonly (readonly [
  severity: number,
  words: string,
  says: string,
  not: string,
])[] = [
  [3, 'fatal', 'fatal: not a git repository', 'fatality'],
  [3, 'panic|panicked', "thread 'main' panicked at src/main.rs", 'panicky'],
  [3, 'critical|crit', 'disk usage critical', 'criticism'],
  [3, 'emerg|emergency', 'emerg: bind failed', 'emergent'],
  [3, 'segfault|sigsegv|segmentation fault|core dumped', 'Segmentation fault (core dumped)', 'faultless'],
  [3, 'out of memory|oom kill|oom killed|oom killer', 'invoked oom-killer', 'out of many'],
  [2, 'error|errors|err|errored', 'error: expected `;`', 'terror'],
  [2, 'fail|fails|failed|failing|failure|failures', '2 failed, 310 passed', '0 failed, 312 passed'],
  [
    2,
    'exception|exceptions|traceback|unhandled|uncaught',
    'Traceback (most recent call last):',
    'exceptional',
  ],
  [2, 'denied|refused|rejected|forbidden|unauthorized', 'connect: connection refused', 'refuse'],
  [2, 'abort|aborted|aborting|sigabrt', 'Aborted', 'aboard'],
  [2, 'kill|killed|sigkill|sigterm|terminated|terminating', 'Killed process 812 (java)', 'killer feature'],
  [2, 'crash|crashed|crashes|crashing|died|deadlock', 'worker 3 died', 'diet'],
  [2, 'timeout|timeouts|timed out|time out', 'upstream timed out', 'out of time'],
  [
    2,
    "unable|cannot|can't|could not|couldn't|giving up|gave up",
    'cannot open shared object file',
    'can open',
  ],
  [2, 'invalid|illegal|corrupt|corrupted|corruption|broken|malformed', 'invalid checksum', 'validity'],
  [2, 'unreachable|unavailable|unhealthy|is down|are down|no such', 'Worker w2 is DOWN', 'shutting down'],
  [
    2,
    'not ok|undefined reference|exit code #|exit status #|exited with #|exited with code #',
    'exit status 1',
    'exit status 0',
  ],
  [2, 'with error|with code #|returned #', 'make returned 2', 'returned 0'],
  [2, '✗|✘|✖|✕|❌', '✗ renders the list', '✓ renders the list'],
  [1, 'warn|warning|warnings', 'warning: unused variable', 'warned'],
  [1, 'deprecated|deprecation', 'option is deprecated', 'deprecate'],
  [1, 'retry|retrying|retries|backing off|back off|backoff', 'retrying in 5s', 'entry'],
  [1, 'slow|slowly|overloaded|exhausted|exceeded|exceeds', 'slow query', 'slot'],
  [1, 'missing|not found|does not exist|unknown|unrecognized|undefined', 'module not found', 'found'],
  [1, 'disconnected|lost|expired|dropped|reset by peer', 'connection reset by peer', 'dropdown'],
  [1, 'unexpected|mismatch|conflict|conflicts|differs', 'digest mismatch', 'match'],
  [1, 'skipped|skipping|ignored|ignoring', 'test skipped', 'skip-link'],
]
