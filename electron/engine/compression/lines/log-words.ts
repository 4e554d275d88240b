import { readWordGroups } from '../rank/word-groups.ts'

/** Everyday words and the words of logs; each word finds its group. General vocabulary. */
const GROUPS = `
could unable cannot failed failure denied|error exception failure fatal severe err|crash segfault panic abort core fatal
io input output i/o read write|full space quota exceeded enospc|memory oom heap ram alloc|disk volume filesystem mount storage
directory dir chdir path folder cwd|file path descriptor|network socket connection unreachable route|lost closed reset broken disconnected severed
connect connection socket peer handshake|slow latency took timeout ms delayed|hang stuck deadlock blocked stalled timeout
login auth authentication password session accepted|logout session closed|permission denied forbidden access unauthorized 403
missing notfound absent enoent 404|retry attempt retrying backoff again|wait waiting sleep slept delay|restart restarted starting started boot
start started starting initialized begin launch up|stop stopped stopping shutdown terminated exit exited killed|kill killed sigkill signal terminated
listen listening bind bound port|certificate cert tls ssl x509 handshake|dns resolve resolver getaddrinfo lookup hostname|database db sql query
deploy deployment rollout release|upload put post sent|download get fetch received|save store write persist insert|load read open restore
delete remove purge evict drop|create created new allocate|update updated modify changed set|choose elect election leader|vote ballot election
leader master primary|follower replica secondary slave|node host server machine instance|job task attempt work|queue backlog pending
large big size huge exceeds|small few below|many count number total|duplicate already exists conflict|expired expire ttl stale
corrupt damaged checksum malformed invalid parity|reject rejected refused declined denied|user account login uid|email mail smtp
payment charge billing card|order purchase checkout|request req call http|response reply answer status|version release build|configuration config settings option property`

/** '' when none. */
export const logWordsFor = readWordGroups(GROUPS)
