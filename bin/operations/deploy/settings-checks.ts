import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import type { Check } from './check.ts'

/** Of names that no deployment can mean (RFC 2606, RFC 6761): those in cdk.json as it comes. */
const PLACEHOLDER = /(^|\.)(example(\.(com|net|org))?|invalid|test|localhost)$/

/** The address of the platform, which functions on AWS have to reach. */
export async function checkPlatform({ platform }: Settings, fetch = globalThis.fetch): Promise<Check> {
  const what = 'platform'
  const wrong = problemOf(platform.url)
  if (wrong) return { what, state: 'missing', words: `platform.url is ${platform.url}, ${wrong}.` }
  const answer = await fetch(platform.url, { method: 'HEAD', signal: AbortSignal.timeout(MAX) }).catch(() => undefined)
  if (answer) return { what, state: 'ok', words: platform.url }
  return { what, state: 'unknown', words: `${platform.url} does not answer here; AWS has to reach it.` }
}

/** The issuer of tokens, whose discovery document API Gateway reads when it makes the authorizer. */
export async function checkIssuer({ identity }: Settings, fetch = globalThis.fetch): Promise<Check> {
  const what = 'identity issuer'
  const { issuer } = identity
  const wrong = problemOf(issuer)
  if (wrong) return { what, state: 'missing', words: `identity.issuer is ${issuer}, ${wrong}.` }
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetch(address, { signal: AbortSignal.timeout(MAX) }).catch(() => undefined)
  if (!answer) return { what, state: 'unknown', words: `${address} does not answer here; API Gateway has to reach it.` }
  const document = (await answer.json().catch(() => ({}))) as { issuer?: unknown; jwks_uri?: unknown }
  if (!answer.ok || typeof document.jwks_uri !== 'string')
    return {
      what,
      state: 'missing',
      words: `${address} is no discovery document of OpenID Connect: correct identity.issuer.`,
    }
  if (document.issuer !== issuer)
    return { what, state: 'missing', words: `It calls itself ${document.issuer}: write identity.issuer just so.` }
  return { what, state: 'ok', words: issuer }
}

/** Milliseconds to wait for an answer. */
const MAX = 5_000

function problemOf(address: string): string | undefined {
  const { protocol, hostname } = new URL(address)
  if (PLACEHOLDER.test(hostname)) return 'which is only an example: name your own in cdk.json'
  return protocol === 'https:' ? undefined : 'which is not https: tokens and keys would travel in the clear'
}

/** Who is told when something is wrong, and whether they can go on from there. */
export function checkAlarms({ alarms: { email, runbookUrl } }: Settings): Check {
  const what = 'alarms'
  if (!email)
    return { what, state: 'later', words: 'Nobody is told of them: set alarms.email, or subscribe to their topic.' }
  if (!runbookUrl)
    return {
      what,
      state: 'later',
      words: `They go to ${email} and name docs/runbook.md: set alarms.runbookUrl to where it is read, and they link there.`,
    }
  return { what, state: 'ok', words: `They go to ${email}, once that address has agreed, and link to ${runbookUrl}.` }
}

/**
 * The setting that names the ffmpeg of functions that draw pictures.
 * @param region undefined where it is not known
 * @returns undefined where the layer itself can be looked at
 */
export function checkFfmpegSetting(
  { ffmpegLayer, architecture }: Settings,
  region: string | undefined,
): Check | undefined {
  const what = 'ffmpeg layer'
  if (!ffmpegLayer)
    return {
      what,
      state: 'missing',
      words: `Name a Lambda layer with /opt/bin/ffmpeg for ${architecture} as ffmpegLayer (docs/deploy.md says how to make one).`,
    }
  const [, of] = /^arn:[\w-]+:lambda:([\w-]+):\d{12}:layer:[\w-]+:\d+$/.exec(ffmpegLayer) ?? []
  if (!of)
    return {
      what,
      state: 'missing',
      words: 'ffmpegLayer is no ARN of a version: arn:aws:lambda:REGION:ACCOUNT:layer:NAME:1.',
    }
  if (region && of !== region)
    return {
      what,
      state: 'missing',
      words: `ffmpegLayer lies in ${of}, and the stack in ${region}: functions use layers of their own region.`,
    }
  return undefined
}
