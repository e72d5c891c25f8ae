import { expect, test } from 'vitest'
import { fileKind } from '../../../../main/upstream/form/form-file-kind.ts'

test.each([
  ['RIFF\x24\x08\x00\x00WAVEfmt ', 'wav'],
  ['RIFF\x24\x08\x00\x00WEBPVP8 ', 'webp'],
  ['RIFF\x24\x08\x00\x00AVI LIST', undefined],
  ['\x00\x00\x00\x20ftypM4A mp42', 'm4a'],
  ['\x00\x00\x00\x20ftypM4B mp42', 'm4a'],
  ['\x00\x00\x00\x20ftypisomiso2', 'mp4'],
  ['\x00\x00\x00\x20ftypavifmif1', undefined],
  ['\x00\x00\x00\x20ftypheicmif1', undefined],
  ['\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm', 'webm'],
  ['\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska', 'mkv'],
  ['\x1a\x45\xdf\xa3', undefined],
  ['\xff\xfb\x90\x00', 'mp3'],
  ['\xff\xf1\x50\x80', undefined],
  ['ID3\x04', 'mp3'],
  ['GIF89a', 'gif'],
  ['Hello', undefined],
])('a file that begins with %j is one of %s', (beginning, extension) => {
  expect(fileKind(Buffer.from(beginning, 'latin1'))?.extension).toBe(extension)
})
