#!/usr/bin/env node
// Stands in for fpm, which electron-builder calls to make a .deb: keeps what it was asked for, with the
// contents of the files that electron-builder removes afterwards, in RECORD_FPM.
import { readFileSync, statSync, writeFileSync } from 'node:fs'

const asked = process.argv.slice(2)
const after = (flag) => asked[asked.indexOf(flag) + 1]
const files = asked.flatMap((argument) => {
  const [, from, to] = /^([^=]+)=(\/.*)$/.exec(argument) ?? []
  if (!from) return []
  const text = statSync(from).isFile() ? readFileSync(from, 'latin1') : null
  return [{ from, to, text }]
})
const beforeRemove = asked.find((argument) => argument.startsWith('--before-remove=')).split('=')[1]
const scripts = [after('--after-install'), after('--after-remove'), beforeRemove].map((path) =>
  readFileSync(path, 'utf8'),
)
writeFileSync(process.env.RECORD_FPM, JSON.stringify({ asked, files, scripts }))
writeFileSync(after('--package'), '')
