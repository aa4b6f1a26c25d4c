import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { TransportKind } from '../../../../../local/sandbox/sip/transport/link.ts'
import { createUserAgent } from '../../../../../local/sandbox/sip/user-agent.ts'
import { createSelfSignedCertificate } from '../../../../support/certificates.ts'
import { startSkippingClock } from '../../calls/skipping-clock.ts'
import { createFakeMedia } from '../fake-media.ts'
import { answer, receive, receiveStatus, request, type Step, startSipp } from './sipp.ts'

const certificate = createSelfSignedCertificate()
const PATIENCE = { timeout: 60_000, interval: 20 }

/** Calls SIPp, whose answer has these lines, and which then plays the steps. */
async function callSipp(transport: TransportKind, lines: readonly string[], steps: readonly Step[]) {
  const { clock, skip, stop } = startSkippingClock()
  const sipp = await startSipp(
    transport,
    [
      receive('INVITE', 'last', header('Session-Expires', '1800')),
      answer('200 OK', { sdp: [], lines, retrans: 500 }),
      '<recv request="ACK" crlf="true"/>',
      ...steps,
    ],
    certificate,
  )
  const agent = createUserAgent({ clock, random: randomBytes, allow: [], ca: certificate.cert, log() {} })
  onTestFinished(() => {
    agent.close()
    stop()
  })
  const media = createFakeMedia()
  const call = agent.invite({ uri: sipp.uri, from: 'ada@example.com', headers: {}, media })
  const happened: string[] = []
  for (const name of ['answered', 'held'] as const) call.on(name, () => happened.push(name))
  call.on('ended', ({ code }) => happened.push(`ended ${code}`))
  const until = (event: string) => vi.waitFor(() => expect(happened).toContain(event), PATIENCE)
  return { call, happened, until, skip, done: sipp.done }
}

const header = (name: string, value: string) =>
  `<ereg regexp="${value}" search_in="hdr" header="${name}:" check_it="true" assign_to="${value.replace(/\W/g, '')}"/>`
const bye = [receive('BYE', 'inside'), answer('200 OK', { to: 'inside' })]

describe.each(['udp', 'tcp', 'tls'] as const)('the timer of a session with SIPp over %s', (transport) => {
  it.each(['UPDATE', 'INVITE'])('is refreshed by %s after half of the interval', async (method) => {
    const isInvite = method === 'INVITE'
    const session = ['Session-Expires: 90;refresher=uac', 'Require: timer']
    const allow = `Allow: INVITE, ACK, BYE${isInvite ? '' : ', UPDATE'}`
    const { call, happened, until, skip, done } = await callSipp(
      transport,
      [...session, allow],
      [
        receive(method, 'inside', header('Session-Expires', '90;refresher=uac')),
        answer('200 OK', { to: 'inside', lines: session, ...(isInvite && { sdp: [], retrans: 500 }) }),
        ...(isInvite ? ['<recv request="ACK" crlf="true"/>'] : []),
        request('INVITE', 1, ['a=sendonly']),
        receiveStatus(200),
        request('ACK', 1),
        ...bye,
      ],
    )
    await until('answered')
    await skip(45_000)
    await until('held')
    call.hangup()
    await done
    expect(happened).toEqual(['answered', 'held', 'ended 700'])
  })

  it.each(['UPDATE', 'INVITE'])('is refreshed by SIPp with %s, in intervals that are long enough', async (method) => {
    const isInvite = method === 'INVITE'
    const refresh = (cseq: number, seconds: number) =>
      request(method, cseq, isInvite ? ['a=sendonly'] : undefined, 'branch', [
        `Session-Expires: ${seconds};refresher=uac`,
        'Supported: timer',
      ])
    const { happened, until, done } = await callSipp(
      transport,
      ['Session-Expires: 90;refresher=uas', 'Require: timer'],
      [
        refresh(1, 120),
        receiveStatus(200, header('Session-Expires', '120;refresher=uac')),
        ...(isInvite ? [request('ACK', 1)] : []),
        refresh(2, 30),
        receiveStatus(422, header('Min-SE', '90')),
        ...(isInvite ? [request('ACK', 2, undefined, 'branch-2')] : []),
        request('BYE', 3),
        receiveStatus(200),
      ],
    )
    await until('ended 700')
    await done
    expect(happened).toEqual(['answered', ...(isInvite ? ['held'] : []), 'ended 700'])
  })
})
