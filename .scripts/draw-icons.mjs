// Draws the desktop's icons from their SVG sources with a Chromium:
//   main/desktop/build       the application: icon.icns, icon.ico, icons/NxN.png
//   main/desktop/tray-icons  the tray: a template image for macOS, .ico for Windows, .png for Linux
import './require-node.mjs'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { chromium } from 'playwright'
import { obtainBrowser } from './browser.mjs'
import { icnsSizes, writeIcns } from './icon-files/icns.mjs'
import { writeIco } from './icon-files/ico.mjs'
import { at } from './run.mjs'

/** In these sizes, in pixels, the thicker drawing reads better. */
const SMALL_UP_TO = 24
/** A macOS icon leaves this part of its side empty, on each side: 100 of 1024. */
const MAC_MARGIN = 100 / 1024

const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512]
const windowsSizes = [16, 20, 24, 32, 40, 48, 64, 128, 256]
/** A small icon at 100, 125, 150, 200, 250 and 300 percent. */
const windowsTraySizes = [16, 20, 24, 32, 40, 48]

const build = (name) => at(`main/desktop/build/${name}`)
const tray = (name) => at(`main/desktop/tray-icons/${name}`)

const executablePath = await obtainBrowser()
if (!executablePath)
  throw new Error('No browser: install Chromium, or name one with CHROMIUM_PATH.')
const browser = await chromium.launch({ executablePath })
const page = await browser.newPage()

/** The drawing at `size` × `size` pixels as `{ size, png, rgba }`. */
async function draw(source, size, margin = 0) {
  const svg = readFileSync(source, 'utf8')
  const { png, rgba } = await page.evaluate(drawInPage, { svg, size, margin })
  return { size, png: Buffer.from(png, 'base64'), rgba: Buffer.from(rgba, 'base64') }
}

async function drawInPage({ svg, size, margin }) {
  const image = new Image(size, size)
  image.src = `data:image/svg+xml;base64,${btoa(svg)}`
  await image.decode()
  const canvas = new OffscreenCanvas(size, size)
  const context = canvas.getContext('2d')
  const edge = margin * size
  context.drawImage(image, edge, edge, size - 2 * edge, size - 2 * edge)
  const toBase64 = (bytes) =>
    btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''))
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  return {
    png: toBase64(await blob.arrayBuffer()),
    rgba: toBase64(context.getImageData(0, 0, size, size).data.buffer),
  }
}

const drawIcon = (size, margin) =>
  draw(build(size <= SMALL_UP_TO ? 'icon-small.svg' : 'icon.svg'), size, margin)

const drawAll = async (sizes, margin) => {
  const pictures = []
  for (const size of sizes) pictures.push(await drawIcon(size, margin))
  return pictures
}

/** The PNG with its dots an inch in it, which AppKit goes by; 72 is one pixel a point. */
function withResolution(png, dotsPerInch) {
  const chunk = Buffer.alloc(21)
  chunk.writeUInt32BE(9, 0)
  chunk.write('pHYs', 4, 'latin1')
  const dotsPerMetre = Math.round(dotsPerInch / 0.0254)
  chunk.writeUInt32BE(dotsPerMetre, 8)
  chunk.writeUInt32BE(dotsPerMetre, 12)
  chunk.writeUInt8(1, 16)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 17)), 17)
  // Behind the signature and IHDR.
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

mkdirSync(build('icons'), { recursive: true })
for (const { size, png } of await drawAll(linuxSizes)) {
  writeFileSync(build(`icons/${size}x${size}.png`), png)
}
writeFileSync(build('icon.ico'), writeIco(await drawAll(windowsSizes)))
writeFileSync(build('icon.icns'), writeIcns(await drawAll(icnsSizes, MAC_MARGIN)))

for (const [scale, suffix] of [
  [1, ''],
  [2, '@2x'],
]) {
  const template = await draw(tray('tray-template.svg'), 16 * scale)
  writeFileSync(tray(`trayTemplate${suffix}.png`), withResolution(template.png, 72 * scale))
  // Panels on Linux are 22 or 24 pixels high, or twice that.
  writeFileSync(tray(`tray${suffix}.png`), (await drawIcon(22 * scale)).png)
}
writeFileSync(tray('tray.ico'), writeIco(await drawAll(windowsTraySizes)))

await browser.close()
