import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSipSettings } from '../../../bin/sip/read-sip-settings.ts'
import { sipOptions } from '../../../bin/sip/sip-options.ts'
import { createSelfSignedCertificate } from '../../support/certificates.ts'

function read(...args: readonly string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr() {} })
  for (const create of Object.values(sipOptions)) command.addOption(create())
  return readSipSettings(command.parse(args, { from: 'user' }).opts(), () => {})
}

describe('readSipSettings', () => {
  it('reads hosts, an authority and a proxy', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'showrunner-sip-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { cert } = createSelfSignedCertificate()
    await writeFile(join(folder, 'ca.pem'), cert)
    const hosts = ['--sip-allow', 'PBX.local', '--sip-allow', '192.168.1.9']
    const proxy = 'sip:proxy.local;lr'
    expect(await read(...hosts, '--sip-ca', join(folder, 'ca.pem'), '--sip-proxy', proxy)).toMatchObject({
      allow: ['pbx.local', '192.168.1.9'],
      ca: cert,
      outboundProxy: proxy,
    })
    await expect(read('--sip-ca', import.meta.filename)).rejects.toThrow('is not a certificate')
  })

  it.each([
    ['--sip-allow', 'pbx.local:5060'],
    ['--sip-allow', 'ada@pbx.local'],
    ['--sip-allow', ''],
    ['--sip-proxy', 'proxy.local'],
  ])('refuses %s %j', (option, value) => {
    expect(() => read(option, value)).toThrow(/It must be a (host without a port|SIP URI)/)
  })
})
