import type { Settings } from '../../../lib/constructs/deploy/settings.ts'
import { type Check, later, missing, passed, unknown } from './check.ts'

/** Reserved host names, as in the committed cdk.json (RFC 2606, RFC 6761). */
const PLACEHOLDER = /(^|\.)(example(\.(com|net|org))?|invalid|test|localhost)$/

/** Checks the address of the platform, which functions on AWS must reach. */
export async function checkPlatform({ platform }: Settings, fetch = globalThis.fetch): Promise<Check> {
  const what = 'platform'
  const wrong = problemOf(platform.url)
  if (wrong) return missing(what, `platform.url is ${platform.url}, ${wrong}`)
  const answer = await fetch(platform.url, { method: 'HEAD', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => undefined,
  )
  if (answer) return passed(what, platform.url)
  return unknown(what, `${platform.url} does not answer this machine. AWS must be able to reach it.`)
}

/** Checks the issuer of tokens. API Gateway reads its discovery document when it creates the authorizer. */
export async function checkIssuer({ identity }: Settings, fetch = globalThis.fetch): Promise<Check> {
  const what = 'identity issuer'
  const { issuer } = identity
  const wrong = problemOf(issuer)
  if (wrong) return missing(what, `identity.issuer is ${issuer}, ${wrong}`)
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const answer = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
  if (!answer) return unknown(what, `${address} does not answer this machine. API Gateway must be able to reach it.`)
  const document = (await answer.json().catch(() => ({}))) as { issuer?: unknown; jwks_uri?: unknown }
  if (!answer.ok || typeof document.jwks_uri !== 'string')
    return missing(what, `${address} is not a discovery document of OpenID Connect. Correct identity.issuer.`)
  if (document.issuer !== issuer)
    return missing(what, `Its document has the issuer ${document.issuer}. Set identity.issuer to exactly that.`)
  return passed(what, issuer)
}

const TIMEOUT_MS = 5_000

function problemOf(address: string): string | undefined {
  const { protocol, hostname } = new URL(address)
  if (PLACEHOLDER.test(hostname)) return 'which is only an example. Set your own in cdk.json.'
  return protocol === 'https:' ? undefined : 'which would send tokens and keys unencrypted. Use https.'
}

/** Checks who receives alarms, and whether alarms link to the runbook. */
export function checkAlarms({ alarms: { email, runbookUrl } }: Settings): Check {
  const what = 'alarms'
  if (!email) return later(what, 'They have no recipient. Set alarms.email, or subscribe to their topic.')
  if (!runbookUrl)
    return later(
      what,
      `They are sent to ${email} and name docs/runbook.md. To have them link to it, set alarms.runbookUrl.`,
    )
  return passed(what, `They are sent to ${email} once it has confirmed, and link to ${runbookUrl}.`)
}

/**
 * Checks the setting that names the layer with ffmpeg.
 * @param region undefined if it is unknown
 * @returns undefined if the layer itself can be checked
 */
export function checkFfmpegSetting(
  { ffmpegLayer, architecture }: Settings,
  region: string | undefined,
): Check | undefined {
  const what = 'ffmpeg layer'
  if (!ffmpegLayer)
    return missing(
      what,
      `Set ffmpegLayer to a Lambda layer with /opt/bin/ffmpeg for ${architecture} (docs/deploy.md shows how to create one).`,
    )
  const [, layerRegion] = /^arn:[\w-]+:lambda:([\w-]+):\d{12}:layer:[\w-]+:\d+$/.exec(ffmpegLayer) ?? []
  if (!layerRegion)
    return missing(
      what,
      'ffmpegLayer is not the ARN of a version. It must have the form arn:aws:lambda:REGION:ACCOUNT:layer:NAME:1.',
    )
  if (region && layerRegion !== region)
    return missing(
      what,
      `ffmpegLayer is in ${layerRegion}, but the stack is in ${region}. Functions can only use layers of their region.`,
    )
  return undefined
}
