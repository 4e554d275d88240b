/**
 * Two posts, a plate and water. One drawing serves all sizes; small sizes omit what would blur, and edges are on
 * whole pixels.
 */

/** Gate down: on. Gate up: off. With a dot: attention needed. */
export const trayStates = ['on', 'off', 'attention'] as const
export type TrayState = (typeof trayStates)[number]

/** macOS has a margin and shadow around the tile; elsewhere the tile fills the picture. */
export type TileStyle = 'mac' | 'full'

/** @param size pixels, 16 to 1024 */
export function drawAppIcon(size: number, style: TileStyle): string {
  const isSmall = size <= 32
  const margin = style === 'mac' ? snap(size * (isSmall ? 0.06 : 0.0977)) : snap(size * (isSmall ? 0 : 0.04))
  const tile = size - 2 * margin
  const radius = round(tile * (style === 'mac' ? 0.225 : isSmall ? 0.19 : 0.21))
  const at = (share: number) => snap(margin + share * tile)
  const shadow = style === 'mac' && size >= 128 ? ' filter="url(#shadow)"' : ''

  // Small pictures need a larger gate with parts of at least two pixels.
  const [left, right, top, foot] = isSmall ? [0.16, 0.84, 0.14, 0.86] : [0.2, 0.8, 0.25, 0.84]
  const post = Math.max(2, snap(tile * (isSmall ? 0.125 : 0.085)))
  const gap = Math.max(1, snap(tile * (isSmall ? 0.065 : 0.03)))
  const plate = {
    x: at(left) + post + gap,
    y: at(isSmall ? top : 0.42),
    right: at(right) - post - gap,
    bottom: at(isSmall ? 0.6 : 0.71),
  }
  const postRadius = round(post * (size < 32 ? 0.25 : 0.5))
  const plateRadius = round(Math.max(1, tile * 0.02))

  const parts = [
    `<rect x="${margin}" y="${margin}" width="${tile}" height="${tile}" rx="${radius}" fill="url(#tile)"${shadow}/>`,
    isSmall ? '' : frame({ left: at(left), right: at(right), top: at(top), post, plateTop: plate.y, tile }),
    `<rect x="${plate.x}" y="${plate.y}" width="${plate.right - plate.x}" height="${plate.bottom - plate.y}" rx="${plateRadius}" fill="${isSmall ? WHITE : 'url(#plate)'}"/>`,
    size >= 64 ? seams(plate, tile) : '',
    `<g clip-path="url(#inside)">`,
    water(
      margin,
      margin + tile,
      at(isSmall ? 0.7 : 0.66),
      margin + tile,
      tile * 0.04,
      isSmall ? 2 : 3,
      'url(#water)',
    ),
    isSmall ? '' : water(margin, margin + tile, at(0.78), margin + tile, tile * 0.035, 3, 'url(#deep)', 0.5),
    '</g>',
    ...[at(left), at(right) - post].map(
      (x) =>
        `<rect x="${x}" y="${at(top)}" width="${post}" height="${at(foot) - at(top)}" rx="${postRadius}" fill="${WHITE}"/>`,
    ),
  ]
  return svg(size, `${definitions(size, margin, tile, radius)}${parts.join('')}`)
}

const WHITE = '#f4fbfa'

interface Frame {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly post: number
  readonly plateTop: number
  readonly tile: number
}

function frame({ left, right, top, post, plateTop, tile }: Frame): string {
  const beamTop = round(top + post * 0.55)
  const middle = (left + right) / 2
  const rod = round(post * 0.55)
  const handle = round(tile * 0.2)
  const handleTop = round(top - tile * 0.075)
  const thickness = round(post * 0.62)
  return [
    `<rect x="${round(middle - rod / 2)}" y="${handleTop}" width="${rod}" height="${round(plateTop + 1 - handleTop)}" fill="#bfe5e2"/>`,
    `<rect x="${round(middle - handle / 2)}" y="${handleTop}" width="${handle}" height="${thickness}" rx="${round(thickness / 2)}" fill="#bfe5e2"/>`,
    `<rect x="${left}" y="${beamTop}" width="${right - left}" height="${round(post * 0.75)}" fill="${WHITE}"/>`,
  ].join('')
}

/** Between the plate's boards. */
function seams(plate: { x: number; y: number; right: number; bottom: number }, tile: number): string {
  const width = plate.right - plate.x
  const thickness = round(Math.max(1, tile * 0.012))
  return [1 / 3, 2 / 3]
    .map(
      (share) =>
        `<rect x="${round(plate.x + width * share - thickness / 2)}" y="${plate.y}" width="${thickness}" height="${plate.bottom - plate.y}" fill="#0b5f63" fill-opacity="0.35"/>`,
    )
    .join('')
}

function water(
  left: number,
  right: number,
  surface: number,
  bottom: number,
  height: number,
  waves: number,
  fill: string,
  shift = 0,
): string {
  return `<path d="${wave(left, right, surface, height, waves, shift)}V${round(bottom)}H${round(left)}Z" fill="${fill}"/>`
}

/** `shift`: share of one wave. */
function wave(left: number, right: number, y: number, height: number, waves: number, shift = 0): string {
  const length = (right - left) / waves
  const start = left - shift * length
  const bows = Array.from({ length: 2 * (waves + (shift > 0 ? 1 : 0)) }, (_, i) => {
    const side = i % 2 === 0 ? -1 : 1
    return `q${round(length / 4)} ${round(side * height)} ${round(length / 2)} 0`
  })
  return `M${round(start)} ${round(y)}${bows.join('')}`
}

function definitions(size: number, margin: number, tile: number, radius: number): string {
  return `<defs>
<linearGradient id="tile" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#15888c"/><stop offset="1" stop-color="#0a5155"/></linearGradient>
<linearGradient id="water" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#7ad6d3"/><stop offset="1" stop-color="#3fa9a9"/></linearGradient>
<linearGradient id="deep" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#3fa5a6"/><stop offset="1" stop-color="#1f8587"/></linearGradient>
<linearGradient id="plate" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#dff3f1"/><stop offset="1" stop-color="#a9dbd8"/></linearGradient>
<clipPath id="inside"><rect x="${margin}" y="${margin}" width="${tile}" height="${tile}" rx="${radius}"/></clipPath>
<filter id="shadow" x="-20%" y="-20%" width="140%" height="140%"><feDropShadow dx="0" dy="${round(size * 0.012)}" stdDeviation="${round(size * 0.014)}" flood-color="#000000" flood-opacity="0.3"/></filter>
</defs>`
}

export interface TrayDrawing {
  readonly state: TrayState
  /** Pixels. */
  readonly size: number
  /** 2 on high-density screens. */
  readonly scale: 1 | 2
  /** macOS uses only a template's transparency. */
  readonly colour: string
  /** A template has one colour. */
  readonly dotColour: string
}

export function drawTrayIcon({ state, size, scale, colour, dotColour }: TrayDrawing): string {
  const points = size / scale
  // Menu bars leave one point around an 18-point picture; other sizes are filled.
  const grid = points === 18 ? 16 : points
  const unit = (grid / 16) * scale
  const origin = (size - unit * 16) / 2
  const at = (value: number) => round(Math.round(origin + value * unit))
  const length = (value: number) => Math.max(1, Math.round(value * unit))
  const rect = (x: number, y: number, right: number, bottom: number, rounding: number) =>
    `<rect x="${at(x)}" y="${at(y)}" width="${at(right) - at(x)}" height="${at(bottom) - at(y)}" rx="${round(rounding * unit)}"/>`

  const isUp = state === 'off'
  const posts = rect(1, 1, 3, 15, 0.8) + rect(13, 1, 15, 15, 0.8)
  const plate = isUp ? rect(5, 1, 11, 4, 0.8) : rect(5, 2, 11, 10, 0.8)
  // Two-pixel curves blur: at single density the wave is stepped.
  const stepped = (y: number) =>
    rect(4, y, 6, y + 2, 0) +
    rect(6, y - 1, 9, y + 1, 0) +
    rect(9, y, 11, y + 2, 0) +
    rect(11, y - 1, 12, y + 1, 0)
  const stroke = `fill="none" stroke="${colour}" stroke-width="${length(1.6)}" stroke-linecap="round"`
  const curved = (y: number) =>
    `<path d="${wave(origin + 5 * unit, origin + 11 * unit, origin + y * unit, 1.5 * unit, 1)}" ${stroke}/>`
  const line =
    unit === 1 ? (y: number) => `<g fill="${colour}">${stepped(y)}</g>` : (y: number) => curved(y + 1)
  const waves = isUp ? line(8) + line(12) : line(12.5)
  const gate = `<g fill="${colour}">${posts}${plate}</g>${waves}`
  if (state !== 'attention') return svg(size, gate)

  const dot = { x: origin + 13 * unit, y: origin + 3 * unit }
  const circle = (radius: number, fill: string) =>
    `<circle cx="${round(dot.x)}" cy="${round(dot.y)}" r="${round(radius * unit)}" fill="${fill}"/>`
  return svg(
    size,
    `<mask id="ring"><rect width="${size}" height="${size}" fill="#fff"/>${circle(4, '#000')}</mask>` +
      `<g mask="url(#ring)">${gate}</g>${circle(3, dotColour)}`,
  )
}

const svg = (size: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${size} ${size}">${content}</svg>`

const snap = (value: number): number => Math.round(value)
const round = (value: number): number => Math.round(value * 1000) / 1000
