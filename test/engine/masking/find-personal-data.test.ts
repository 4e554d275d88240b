import { describe, expect, test } from 'vitest'
import { compilePatterns } from '../../../electron/engine/masking/custom-patterns.ts'
import { findPersonalData } from '../../../electron/engine/masking/find-personal-data.ts'
import { PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'

/** `type:value` of every finding. */
const found = (text: string, types?: typeof PERSONAL_DATA_TYPES): string[] =>
  findPersonalData(text, { types }).map(({ type, value }) => `${type}:${value}`)
const nothing = (...texts: string[]): void => {
  for (const text of texts) expect(found(text), text).toEqual([])
}

describe('e-mail', () => {
  test.each([
    ['write to jane.doe+news@mail.example.co.uk.', 'jane.doe+news@mail.example.co.uk'],
    ["<o'hara@example.org>", "o'hara@example.org"],
    ['jürgen@müller.example', 'jürgen@müller.example'],
    ['hg@aa.org', 'hg@aa.org'],
    ['?to=jane%40example.org&x', 'jane%40example.org'],
    [String.raw`one\njane@example.org`, 'jane@example.org'],
    ['at example@test.com.2024', 'example@test.com'],
  ])('%s', (text, value) => expect(found(text)).toEqual([`email:${value}`]))

  test('not: files, handles, remotes, the pipe that a wrong class lets through', () =>
    nothing(
      'icon@2x.png',
      'npm i left-pad@1.3.0',
      '@jane',
      'jane@localhost',
      'git@github.com:a/b.git',
      'a@b.|c',
    ))
})

test('cells beside numbers, as CSV has them', () => {
  expect(found('1,Jo,+14155552671,34')).toEqual(['phone:+14155552671'])
  expect(found('12,0171 5550123,41')).toEqual(['phone:0171 5550123'])
  expect(found('3,Li,(555) 123-4567,29')).toEqual(['phone:(555) 123-4567'])
  expect(found('1001,4111111111111111,25')).toEqual(['credit_card:4111111111111111'])
  nothing(
    'sum 1234567,89 EUR',
    '1,234,567 items',
    '12,345,678.90',
    'lat 52,5200066 lon 13,4049540',
    '3,4111111111111111',
  )
})

describe('phone', () => {
  test.each([
    ['+44 20 7946 0958', '+44 20 7946 0958'],
    ['+46 (0)8 928 571 38', '+46 (0)8 928 571 38'],
    ['+18005550123', '+18005550123'],
    ['call (555) 123-4567 now', '(555) 123-4567'],
    ['555.123.4567 x89', '555.123.4567 x89'],
    ['1-555-123-4567', '1-555-123-4567'],
    ['001-555-123-4567', '001-555-123-4567'],
    ['0341 8387176', '0341 8387176'],
    ['01.84.17.61.18', '01.84.17.61.18'],
    ['Mobile: 432 03 163', '432 03 163'],
    ['781 1704 office', '781 1704'],
    ['phoneNumber: 9498777106', '9498777106'],
    ['"phone_number": "3014519881"', '3014519881'],
  ])('%s', (text, value) => expect(found(text)).toEqual([`phone:${value}`]))

  test('two after one word', () =>
    expect(found('Call 450 0840 or 9472 7916.')).toEqual(['phone:450 0840', 'phone:9472 7916']))

  test('not: any seven digits, dates, versions, amounts, identifiers', () =>
    nothing(
      'order 1234567',
      '2026-01-31 10:30:00',
      'took 1700000000000 ms',
      'population 655 437 108',
      'build 1.2.345.6789',
      'id 550e8400-e29b-41d4-a716-446655440000',
      '(012) 10.01',
    ))
})

describe('cards', () => {
  test.each([
    ['4111111111111111'],
    ['4111 1111 1111 1111'],
    ['4111-1111-1111-1111'],
    ['378282246310005'],
    ['3782 822463 10005'],
    ['2221000000000009'],
    ['2720990000000007'],
    ['6011000990139424'],
    ['card 675984103431'],
  ])('%s', (text) => expect(found(text)).toEqual([`credit_card:${text.replace('card ', '')}`]))

  test('not: a wrong check digit, mixed groups, more digits, a number that no network issues', () =>
    nothing(
      '4111111111111112',
      '4111 1111-1111 1111',
      '41111111111111111111',
      '9999999999999995',
      'tracking 626512653371',
      '3.4111111111111111',
    ))
})

describe('other numbers', () => {
  test.each([
    ['123-45-6789', 'ssn:123-45-6789'],
    ['SSN 123456789', 'ssn:123456789'],
    ['social security number is 123 45 6789', 'ssn:123 45 6789'],
    ['DE89 3704 0044 0532 0130 00', 'iban:DE89 3704 0044 0532 0130 00'],
    ['gb82west12345698765432', 'iban:gb82west12345698765432'],
    ['ip=10.7.0.13,', 'ip_address:10.7.0.13'],
    ['from 2001:db8::ff00:42:8329 to', 'ip_address:2001:db8::ff00:42:8329'],
    ['fe80::1ff:fe23:4567:890a', 'ip_address:fe80::1ff:fe23:4567:890a'],
    ['2001:0db8:85a3:0000:0000:8a2e:0370:7334', 'ip_address:2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
    ['::ffff:192.0.2.128', 'ip_address:::ffff:192.0.2.128'],
    ['passport no. C01X0006H', 'passport:C01X0006H'],
    ['passport office', undefined],
    ['10.0.0.0/8 and 192.0.2.0/24', undefined],
    ['inet 10.0.0.5/8', 'ip_address:10.0.0.5'],
    ['IBAN DE89 3704 0044\n0532 0130 00', 'iban:DE89 3704 0044\n0532 0130 00'],
    ['Passport number: L8988901', 'passport:L8988901'],
    ["My driver's license number is U62928788557186", 'driver_license:U62928788557186'],
    ['dateOfBirth: 1980-01-31', 'date_of_birth:1980-01-31'],
    ['born on 3 April 1955', 'date_of_birth:3 April 1955'],
    ['01/15/1990 (DOB)', 'date_of_birth:01/15/1990'],
    ['né à Lyon, born: 3.4.1977', 'date_of_birth:3.4.1977'],
  ])('%s', (text, expected) => expect(found(text)).toEqual(expected === undefined ? [] : [expected]))

  test('not: numbers that were never given out, versions, times, addresses of nobody, other dates', () =>
    nothing(
      '000-12-3456 666-12-3456 900-12-3456 123-00-4567',
      'order 123456789',
      'GB82 WEST 1234 5698 7654 33',
      '1.2.3.4.5 and v1.2.3.4 and 300.1.1.1',
      '127.0.0.1 ::1 0.0.0.0 255.255.255.0',
      '12:34:56 std::vector a::b 00:1a:2b:3c:4d:5e',
      'released 2026-01-31',
      'airéborn 1980-01-31 and дdob: 1980-01-31 and dobд: 1980-01-31',
      'passport control opens at 12345',
    ))
})

describe('secrets', () => {
  test.each([
    ['AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
    [`token ghp_${'a1B2'.repeat(9)}.`, `ghp_${'a1B2'.repeat(9)}`],
    ['API_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0', '9f8e7d6c5b4a39281706f5e4d3c2b1a0'],
    ['"client_secret": "k3J9-xQ2v_Lm8Zp0RtYw"', 'k3J9-xQ2v_Lm8Zp0RtYw'],
    ['password: hunter2!x', 'hunter2!x'],
    ['postgres://app:s3cr3t@db.example.com/x', 's3cr3t'],
    ['Authorization: Bearer abc123def456ghi789', 'abc123def456ghi789'],
    [
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123-_',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123-_',
    ],
  ])('%s', (text, value) => expect(found(text)).toEqual([`api_key:${value}`]))

  test('a whole private key', () => {
    const block = '-----BEGIN RSA PRIVATE KEY-----\nMIIabc123\n-----END RSA PRIVATE KEY-----'
    expect(found(`x ${block} y`)).toEqual([`api_key:${block}`])
  })

  test('not: words, places in a list, templates, addresses', () =>
    nothing(
      'password: required',
      'nextPageToken=CAUQAA9f8e7d6c5b4a3928',
      'API_KEY=${env:API_KEY}',
      'token: <your-token-goes-here-1>',
      'auth: https://login.example.com/v2/authorize1',
      'keyboard=standard-layout-105',
    ))
})

describe('numbers of real documents that are none', () => {
  test('bytes, networks, anonymised addresses, versions, numbers of sections', () =>
    nothing(
      'Serial Number:\n  92:b8:88:db:b0:8a:c1:63',
      'HeadlessChrome/156.0.0.0 Safari/537.36',
      'visitor 203.0.113.0',
      'libvulkan1:amd64 (1.3.239.0-1) ...',
      'push "route 192.168.0.0 255.255.255.0"',
      'existing-setup.html#id-1.6.4.6',
      '<span id="id-1.9.17.3" class="x">',
      'Setting up imagemagick (8:6.9.11.60+dfsg-1.6) ...',
    ))

  test('decimals, dates, package versions, bytes, numbers of interfaces', () =>
    nothing(
      'usec_per_call=69138.50,rejected_calls=0',
      'the call head 2026-04-08 23:06:16',
      'Conf kmod (30+20221128-1 Debian:12)',
      'Zend Extension => 420220829',
      'Magic:   7f 45 4c 46 02 01 01 00 00 00 00 00 00 00',
    ))

  test('kinds of keys, files of keys', () =>
    nothing(
      'sk-ssh-ed25519-cert-v01',
      'sk-ecdsa-sha2-nistp256-cert-v01',
      'dnscrypt-secret-key: /path/unbound-conf/keys1/1.key',
    ))

  test.each([
    ['#10.0.0.7 db.internal', 'ip_address:10.0.0.7'],
    ['localhost/192.168.1.234', 'ip_address:192.168.1.234'],
    ['2001:db8:11:22:33:44:55:66', 'ip_address:2001:db8:11:22:33:44:55:66'],
    ['tel 01 84 17 61 18', 'phone:01 84 17 61 18'],
    ['extension 12, phone 555 0142 33', 'phone:555 0142 33'],
  ])('%s', (text, value) => expect(found(text)).toEqual([value]))
})

describe('guesses', () => {
  const all = (text: string): string[] => found(text, PERSONAL_DATA_TYPES)

  test.each([
    ['My name is borna jerković.', 'person:borna jerković'],
    ['Please ask Marie-Claire van der Berg.', 'person:Marie-Claire van der Berg'],
    ['Yesterday Mr. Young called.', 'person:Young'],
    ['He lives at 515 Gemsbok Street, Pietersburg', 'address:515 Gemsbok Street, Pietersburg'],
    ['She moved here from Norway', 'address:Norway'],
    ['We met in Kraków', 'address:Kraków'],
  ])('%s', (text, expected) => expect(all(text)).toEqual([expected]))

  test('an address over several lines is one', () =>
    expect(all('50668 Kiannonkatu 98\n Apt. 105\n Kokkola\n Finland 80896\nMobile: 03.93.92.16.85')).toEqual([
      'address:50668 Kiannonkatu 98\n Apt. 105\n Kokkola\n Finland 80896',
      'phone:03.93.92.16.85',
    ]))

  test('not: the start of a sentence, weekdays, identifiers, acronyms', () => {
    const text = 'The next meeting is on Monday. Please run npm.Install() and getUserName, then ask the CEO.'
    expect(all(text)).toEqual([])
  })

  test('only where they are asked for', () => nothing('Marie-Claire lives in Kraków'))
})

describe('custom patterns', () => {
  const patterns = compilePatterns({ staff: { regex: String.raw`\bS-\d{4}\b`, placeholder: 'STAFF' } })

  test('are found with their own name and win over built-in types; offsets count UTF-16 units', () => {
    const text = '😀 S-1234, jane@example.org'
    expect(findPersonalData(text, { custom: patterns })).toEqual([
      { type: 'STAFF', start: 3, end: 9, value: 'S-1234' },
      { type: 'email', start: 11, end: 27, value: 'jane@example.org' },
    ])
  })

  test('what the engine does not understand is refused with the name of the pattern', () =>
    expect(() => compilePatterns({ bad: { regex: '(?=x)', placeholder: 'BAD' } })).toThrow(
      /"bad" can't be used/,
    ))
})

describe("what an earlier system's masking got wrong", () => {
  test('the same value twice is the same type and value', () => {
    const spans = findPersonalData('a@example.org and a@example.org')
    expect(new Set(spans.map(({ value }) => value)).size).toBe(1)
  })
  test('seven digits are no phone number by themselves', () => nothing('ticket 1234567'))
  test('the bracket of (555) 123-4567 is part of the number', () =>
    expect(found('(555) 123-4567')).toEqual(['phone:(555) 123-4567']))
  test('a date of birth does not run into the date after it', () =>
    expect(found('DOB: 01/15/1990 2026-01-31')).toEqual(['date_of_birth:01/15/1990']))
  test('compressed IPv6 addresses are found', () =>
    expect(found('2001:db8::1')).toEqual(['ip_address:2001:db8::1']))
  test('Mastercard numbers from 2221 to 2720 are found', () =>
    expect(found('2223003122003222')).toEqual(['credit_card:2223003122003222']))
  test('sixteen digits without a right check digit are no card', () => nothing('4111 1111 1111 1112'))
  test('a letter and digits are neither passport nor licence by themselves', () => nothing('part A12345678'))
})
