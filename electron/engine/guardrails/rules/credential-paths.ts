import type { PhraseRule } from './phrase-rule.ts'

/** Files with keys and passwords. */
const PATH =
  /(?:~|\/root|\/home\/[\w.-]{1,32}|\/users\/[\w.-]{1,32}|\$home|%userprofile%|c:\\users\\[\w.-]{1,32})?[/\\]?(?:\.ssh[/\\](?:id_\w{2,10}|authorized_keys|config\b)|\.aws[/\\]credentials|\.kube[/\\]config|\.docker[/\\]config\.json|\.git-credentials|\.netrc\b|\.npmrc\b|\.pypirc\b|\.pgpass\b|\.cursor[/\\]mcp\.json|\.mcp\.json|claude_desktop_config\.json|\.config[/\\]gcloud|\.gnupg[/\\]|wallet\.dat|login data\b|key4\.db|logins\.json)|\/etc\/(?:passwd|shadow|sudoers)\b|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|(?:^|[\s"'`/])\.env\b(?!\.)/i
const READ = [
  'read',
  'open',
  'cat',
  'load',
  'get',
  'fetch',
  'include',
  'pass',
  'send',
  'upload',
  'copy',
  'access',
  'retrieve',
  'print',
  'forward',
  'attach',
  'extract',
  'provide',
  'look',
  'check',
]

export const CREDENTIAL_RULES: readonly PhraseRule[] = [
  {
    kind: 'credential-path',
    reason: 'wants a file with keys or passwords to be read',
    score: 0.3,
    definitionScore: 0.75,
    cues: READ,
    followedBy: [{ within: 60, pattern: PATH }],
    unless: /\b(?:chmod|example|dotenv|\.env\.)/i,
  },
  {
    kind: 'credential-path',
    reason: 'wants a file with keys or passwords to be read and handed on',
    score: 0.75,
    definitionScore: 0.9,
    cues: READ,
    followedBy: [
      { within: 60, pattern: PATH },
      {
        within: 90,
        pattern:
          /\b(?:(?:pass|send|include|put|forward|post|upload|return|report|give|provide|insert|append) (?:its|the contents?|their|it|them|all)|contents? (?:as|in|to)|as (?:a |the )?['"`]?\w{2,20}['"`]? (?:parameter|argument|field)|sidenote|to https?:)/i,
      },
    ],
    acrossSentences: true,
  },
  {
    kind: 'credential-path',
    reason: 'names a file with keys or passwords',
    score: 0.05,
    definitionScore: 0.35,
    cues: ['ssh', 'aws', 'env', 'passwd', 'shadow', 'rsa', 'mcp', 'netrc', 'kube', 'wallet'],
    before: /(?:\.|\/etc\/|id_)$/,
    followedBy: [{ within: 0, pattern: /^(?:[/\\](?:id_\w{2,10}|credentials|config)\b|\.json\b|\b)/i }],
  },
]
