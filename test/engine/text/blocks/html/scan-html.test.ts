import { array, assert, constantFrom, pre, property } from '../../../../helpers/properties.ts'
import { Tokenizer } from 'htmlparser2'
import { expect, test } from 'vitest'
import { scanHtml } from '../../../../../electron/engine/text/blocks/html/scan-html.ts'

const READ = new Set('class id role style hidden aria-hidden colspan rowspan href'.split(' '))

/** Texts that stand together, opening and closing tags, in order. */
function collector() {
  const events: string[] = []
  let text = ''
  const add = (event: string) => {
    if (text !== '') events.push(`text ${text}`)
    text = ''
    if (event !== '') events.push(event)
  }
  return {
    events,
    text: (part: string) => {
      text += part
    },
    open: (name: string, attributes: readonly (readonly [string, string])[]) => {
      add(`<${name} ${JSON.stringify([...attributes].sort(([a], [b]) => (a < b ? -1 : 1)))}>`)
    },
    close: (name: string) => add(`</${name}>`),
    end: () => add(''),
  }
}

function scanned(html: string): string[] {
  const into = collector()
  scanHtml(html, {
    text: into.text,
    open: (name, attributes) => {
      const set = Object.entries(attributes).flatMap(([field, value]: [string, string | undefined]) =>
        value === undefined ? [] : [[field === 'ariaHidden' ? 'aria-hidden' : field, value] as const],
      )
      into.open(name, set)
    },
    close: into.close,
  })
  into.end()
  return into.events
}

function byHtmlparser2(html: string): string[] {
  const into = collector()
  let name = ''
  let attribute = ''
  let value = ''
  let set = new Map<string, string>()
  const open = () => into.open(name, [...set])
  const at = (from: number, to: number) => html.slice(from, to)
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (from, to) => into.text(at(from, to)),
      ontextentity: (point) => into.text(String.fromCodePoint(point)),
      onopentagname: (from, to) => {
        name = at(from, to).toLowerCase()
        set = new Map()
      },
      onattribname: (from, to) => {
        attribute = at(from, to).toLowerCase()
        value = ''
      },
      onattribdata: (from, to) => {
        value += at(from, to)
      },
      onattribentity: (point) => {
        value += String.fromCodePoint(point)
      },
      onattribend: () => {
        if (READ.has(attribute) && !set.has(attribute)) set.set(attribute, value)
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (from, to) => into.close(at(from, to).toLowerCase()),
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  into.end()
  return into.events
}

const pieces = constantFrom(
  ...'<¦>¦/¦=¦"¦!¦?¦-¦ ¦\n¦a¦B¦<p ¦<td¦</td>¦</¦class="x y"¦ID=k¦href=\'#a&amp;b\'¦hidden¦style=a/b¦<!--¦-->¦--!>¦é漢😀'.split(
    '¦',
  ),
  ...'<!doctype html>¦<![CDATA[¦]]>¦&amp;¦&copy¦&#65;¦&#x41¦&lt;b¦&nosuch;¦<script>¦</script>¦</SCRIPT ¦<br/>¦<style a'.split(
    '¦',
  ),
)

test('finds the tags, texts and attributes that htmlparser2 finds, whatever is broken', () => {
  assert(
    property(array(pieces, { maxLength: 30 }), (parts) => {
      // A closing tag that the text ends in is none; that package makes a letter of text of it.
      const html = `${parts.join('')}<!---->`
      pre(!/<\/[a-z][^>]*$/i.test(html.slice(0, -7)))
      expect(scanned(html)).toEqual(byHtmlparser2(html))
    }),
    { numRuns: 3000 },
  )
})

test('an unquoted value may have both quotes, beside entities', () => {
  for (const value of [`#'a&amp;b'="x`, `'"&copy"'&lt;`]) {
    const html = `<p id=${value}>x`
    expect(scanned(html)).toEqual(byHtmlparser2(html))
  }
})

test('takes linear time for what is opened and never closed', () => {
  for (const piece of ['<!-- --!>', '<a "', '</p ', '<!--', '<script>', '</', '&', "<p a='", '<![CDATA['])
    expect(scanned(piece.repeat(20_000)).length).toBeLessThan(40_001)
})
