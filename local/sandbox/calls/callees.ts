import { callEndings } from '../../../lib/platform/contract/calls.ts'

export interface CallEnding {
  /** A SIP response code, or one of the contract's `callEndings`. */
  readonly code: number
  readonly message: string
}

/** One action of a callee, `after` seconds after the one before. */
export type CalleeStep = { readonly after: number } & (
  | { readonly does: 'ring' | 'answer' | 'hold' | 'resume' }
  | { readonly does: 'press'; readonly keys: string }
  /** `refuse` has no effect on a call that was answered meanwhile. */
  | { readonly does: 'refuse' | 'end'; readonly ending: CallEnding }
)

export interface Callee {
  readonly steps: readonly CalleeStep[]
  /** The callee sends neither audio nor video. */
  readonly isSilent?: boolean
}

interface Script {
  readonly says: string
  /** Default of the number at the end of the user part; absent if the script takes none. */
  readonly seconds?: number
  play(seconds: number, isAuthenticated: boolean): Callee
}

/** Returns one of the contract's endings of a call that no SIP response ends. */
export const callEndingOf = (code: keyof typeof callEndings): CallEnding => ({ code, message: callEndings[code] })

const RINGING: CalleeStep = { after: 1, does: 'ring' }
const ANSWERED = [RINGING, { after: 1, does: 'answer' }] as const satisfies readonly CalleeStep[]
const refuse = (after: number, code: number, message: string): CalleeStep => ({
  after,
  does: 'refuse',
  ending: { code, message },
})

/**
 * Scripted callees, by the user part of the SIP URI; `hangup-30` is `hangup` after 30 seconds. Any other user part is
 * `answer`. Response codes are those of RFC 3261. 32 s is its timer B, after which an INVITE times out.
 */
export const callees: Readonly<Record<string, Script>> = {
  answer: { says: 'rings after 1 s and answers after 2 s', play: () => ({ steps: ANSWERED }) },
  instant: { says: 'answers after 1 s without ringing', play: () => ({ steps: [{ after: 1, does: 'answer' }] }) },
  busy: { says: 'is busy: 486 after 1 s', play: () => ({ steps: [refuse(1, 486, 'Busy Here')] }) },
  decline: { says: 'rings and declines: 603 after 3 s', play: () => ({ steps: [RINGING, refuse(2, 603, 'Decline')] }) },
  noanswer: {
    says: 'rings for 60 s and is given up: 480',
    play: () => ({ steps: [RINGING, refuse(60, 480, 'Temporarily Unavailable')] }),
  },
  unknown: { says: 'does not exist: 404 after 1 s', play: () => ({ steps: [refuse(1, 404, 'Not Found')] }) },
  unreachable: {
    says: 'cannot be reached: 408 after 32 s',
    play: () => ({ steps: [refuse(32, 408, 'Request Timeout')] }),
  },
  guarded: {
    says: 'answers if sip.auth is given; else refuses: 401 after 1 s',
    play: (_, isAuthenticated) => ({ steps: isAuthenticated ? ANSWERED : [refuse(1, 401, 'Unauthorized')] }),
  },
  silent: {
    says: 'answers and sends no media, so that the call ends after 5 min: 704',
    play: () => ({ steps: ANSWERED, isSilent: true }),
  },
  hold: {
    says: 'answers, holds the call 10 s later and takes it up again after N s (30)',
    seconds: 30,
    play: (seconds) => ({ steps: [...ANSWERED, { after: 10, does: 'hold' }, { after: seconds, does: 'resume' }] }),
  },
  hangup: {
    says: 'answers and hangs up N s later (10): 700',
    seconds: 10,
    play: (after) => ({ steps: [...ANSWERED, { after, does: 'end', ending: callEndingOf(700) }] }),
  },
  drop: {
    says: 'answers and loses its connection N s later (10): 703',
    seconds: 10,
    play: (after) => ({ steps: [...ANSWERED, { after, does: 'end', ending: callEndingOf(703) }] }),
  },
  manual: { says: 'does only what the control interface lets it do', play: () => ({ steps: [] }) },
  mute: {
    says: 'answers and presses *6 N s later (10)',
    seconds: 10,
    play: (after) => ({ steps: [...ANSWERED, { after, does: 'press', keys: '*6' }] }),
  },
}

/** Returns the callee that a SIP URI reaches. */
export function calleeOf(uri: string, isAuthenticated: boolean): Callee {
  const { script, seconds } = scriptOf(userOf(uri))
  return script.play(seconds, isAuthenticated)
}

/** Number that a phone shows when the dial names none. */
export const PLACEHOLDER_NUMBER = '0000000000'

/** Removes the user's password from a SIP URI. */
export const withoutPassword = (uri: string) => uri.replace(/^(sips?:[^@:]*):[^@]*@/i, '$1@')

const userOf = (uri: string) => /^sips?:([^@:;]*)[^@]*@/i.exec(uri)?.[1]?.toLowerCase() ?? ''

function scriptOf(user: string): { script: Script; seconds: number } {
  const [, name = '', given] = /^([a-z]+)(?:-(\d{1,5}))?$/.exec(user) ?? []
  const script = Object.hasOwn(callees, name) ? callees[name] : undefined
  const isMeant = script && (given === undefined || script.seconds !== undefined)
  if (!isMeant) return { script: callees.answer as Script, seconds: 0 }
  return { script, seconds: given === undefined ? (script.seconds ?? 0) : Number(given) }
}
