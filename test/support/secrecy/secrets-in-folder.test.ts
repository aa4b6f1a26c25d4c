import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { secretsInFolder } from './secrets-in-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'showrunner-secrecy-'))
  mkdirSync(join(folder, 'asset.1'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const found = (file: string, text: string) => {
  writeFileSync(join(folder, file), text)
  return secretsInFolder(folder, [{ name: 'the key', value: 'open sesame' }])
}

describe('secretsInFolder', () => {
  it.each([
    ['the key', '{"Value":"open sesame"}'],
    ['an access key', '{"Ref":"AKIAIOSFODNN7EXAMPLE"}'],
    ['a secret with its value', '{"Text":"{\\"apiSecret\\":\\"plain words\\"}"}'],
    ['40 digits', `{"Default":"${'0a'.repeat(20)}"}`],
    ['40 characters of base64', '{"Default":"q9Zr1XUtn3FEMI/K7MDENG/bPxRfi0CYqR5sT2Ab"}'],
    ['a private key', '-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG'],
  ])('finds %s in a template', (name, text) => {
    expect(found('stack.template.json', text)).toEqual([`stack.template.json shows ${name}`])
  })

  it('finds them in code, and takes names of what is secret for what they are', () => {
    expect(found('asset.1/index.mjs', 'const key = "open sesame"')).toEqual(['asset.1/index.mjs shows the key'])
    const code = 'const secret = { "secret": "name#key", apiSecret: z.string() } // -----BEGIN PRIVATE KEY-----" 0a'
    expect(found('asset.1/index.mjs', code + '0a'.repeat(19))).toEqual([])
  })

  it('finds nothing in what templates are full of', () => {
    const ids = ['RotateUploadKeyDeadLettersPolicyEE189755', `${'0a'.repeat(32)}.zip`]
    expect(found('stack.template.json', JSON.stringify({ ids, SecretStringTemplate: '{"all":""}' }))).toEqual([])
  })
})
