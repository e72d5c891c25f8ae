import { describe, expect, test } from 'vitest'
import {
  cleanMedia,
  mediaKindOf,
  parseDataUrl,
  toDataUrl,
} from '../../../../main/convert/media/media.ts'

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
/** Longer than a signature, as a file is. */
const file = (beginning: string) => base64(beginning + '\0'.repeat(100))

describe('a file whose label is wrong', () => {
  test.each([
    ['image/png', '\x89PNG\r\n\x1a\n'],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
    ['audio/wav', 'RIFF\x10\0\0\0WAVEfmt '],
    ['application/pdf', '%PDF-1.7'],
    ['image/tiff', 'II*\0'],
    ['image/tiff', 'MM\0*'],
    ['image/heic', '\0\0\0\x18ftypheic'],
    ['image/bmp', 'BM\x40\0\0\0\0\0\0\0'],
    ['audio/mpeg', 'ID3\x03'],
  ])('is called %s by its own first bytes', (mediaType, beginning) => {
    expect(cleanMedia('image/x-other', file(beginning)).mediaType).toBe(mediaType)
    expect(cleanMedia('', file(beginning)).mediaType).toBe(mediaType)
  })

  test.each([
    '<svg xmlns="a">',
    '<?xml version="1.0"?>\n<!-- [x] -->\n<svg>',
    '\xef\xbb\xbf <SVG >',
  ])('is called svg when it is an image: %s', (text) => {
    expect(cleanMedia('image/png', base64(text)).mediaType).toBe('image/svg+xml')
    expect(cleanMedia('text/plain', base64(text)).mediaType).toBe('text/plain')
  })

  test('keeps its label when only two bytes speak against it', () => {
    expect(cleanMedia('audio/L16;rate=24000', file('\xff\xfb')).mediaType).toBe(
      'audio/l16;rate=24000',
    )
    expect(cleanMedia('application/octet-stream', file('\xff\xfb')).mediaType).toBe('audio/mpeg')
    expect(cleanMedia('text/plain', base64('BMW and others')).mediaType).toBe('text/plain')
  })

  test('keeps another name of the same type', () => {
    expect(cleanMedia('audio/mp3', file('ID3\x03')).mediaType).toBe('audio/mp3')
    expect(cleanMedia('image/heif', file('\0\0\0\x18ftypmif1')).mediaType).toBe('image/heif')
  })
})

test('image/jpg is jpeg, and upper case and parameters go', () => {
  expect(cleanMedia('image/jpg', 'AAAA').mediaType).toBe('image/jpeg')
  expect(cleanMedia(' Image/PNG; q=1', 'AAAA').mediaType).toBe('image/png')
})

test('base64 comes out in one line, in the standard alphabet and padded', () => {
  const data = Buffer.from([0xfb, 0xff, 0xfe, 0x01])
  const messy = `data:image/png;base64,${data.toString('base64url').replace(/(..)/g, '$1\r\n ')}`
  expect(cleanMedia('image/png', messy)).toEqual({
    mediaType: 'image/png',
    data: data.toString('base64'),
  })
})

describe('data URLs', () => {
  test.each([
    ['data:image/png;base64,AAAA', 'image/png', 'AAAA'],
    ['DATA:image/JPG;name=a.jpg;base64,AAAA', 'image/jpeg', 'AAAA'],
    ['data:;base64,AAAA', 'text/plain', 'AAAA'],
    ['data:image/png;base64,AA%2BA', 'image/png', 'AA+A'],
    ['data:audio/L16;rate=24000;base64,AAAA', 'audio/l16;rate=24000', 'AAAA'],
    ['data:text/plain;charset=utf-8,a%20b%zz,%C3%A9', 'text/plain', base64('a b%zz,\xc3\xa9')],
    ['data:,', 'text/plain', ''],
  ])('%s is read', (url, mediaType, data) => {
    expect(parseDataUrl(url)).toEqual({ mediaType, data })
  })

  test.each(['https://a/b.png', 'data:image/png;base64', '', 'AAAA'])('%s is none', (url) => {
    expect(parseDataUrl(url)).toBeNull()
  })

  test('what is written can be read', () => {
    expect(parseDataUrl(toDataUrl('image/png', 'AAAA'))).toEqual({
      mediaType: 'image/png',
      data: 'AAAA',
    })
  })

  test('many megabytes cost no stack', () => {
    const data = 'A'.repeat(24 * 1024 * 1024)
    expect(parseDataUrl(`data:image/png;base64,${data}`)?.data.length).toBe(data.length)
    expect(cleanMedia('image/png', data).data.length).toBe(data.length)
  })
})

test.each([
  ['image/png', 'image'],
  ['Audio/mpeg', 'audio'],
  ['video/mp4', 'video'],
  ['application/pdf', 'document'],
  ['text/plain', 'document'],
  ['', 'document'],
])('%s is a medium of kind %s', (mediaType, kind) => expect(mediaKindOf(mediaType)).toBe(kind))
