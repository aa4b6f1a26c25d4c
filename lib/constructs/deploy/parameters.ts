import { CfnCondition, CfnParameter, Fn } from 'aws-cdk-lib'
import { Construct } from 'constructs'
import type { Settings } from './settings.ts'

/**
 * The value of a parameter that stands for "use the setting". `cdk deploy` keeps the values of the previous deployment: a
 * setting that was a parameter's default would never change.
 */
const AS_SET = 'as in the settings'

/**
 * The values that a local cloud sets at run time. On AWS they come from the settings and are part of the template, and so of the
 * version of each function that reads them.
 */
export class Parameters extends Construct {
  readonly platformUrl: string
  readonly insightsUrl: string
  readonly tokenIssuer: string
  readonly uploadEndpoint: string
  readonly ffmpegPath: string
  readonly callbackReach: string
  readonly joinUrl: string
  readonly #given: string[] = []

  constructor(scope: Construct, id: string, { platform, identity, joinUrl }: Settings) {
    super(scope, id)
    this.platformUrl = this.parameter('PlatformUrl', platform.url, 'Base URL of the video platform.')
    this.insightsUrl = this.parameter(
      'InsightsUrl',
      platform.insightsUrl ?? 'none',
      'URL of the platform’s Insights; none when they are not queried.',
    )
    this.tokenIssuer = this.parameter('TokenIssuer', identity.issuer, 'OIDC issuer of the API’s tokens.')
    this.uploadEndpoint = this.parameter(
      'UploadEndpoint',
      'aws',
      'S3 endpoint the platform uploads to; aws for the standard one.',
    )
    this.ffmpegPath = this.parameter('FfmpegPath', '/opt/bin/ffmpeg', 'Where functions find ffmpeg.')
    this.callbackReach = this.parameter(
      'CallbackReach',
      'public',
      'Allowed targets of callbacks: https and public addresses, or anywhere.',
      [AS_SET, 'public', 'anywhere'],
    )
    this.joinUrl = this.parameter('JoinUrl', joinUrl ?? 'none', 'URL of the page that opens invitations, or none.')
  }

  /**
   * Returns all values. They are the description of a function's version, so a changed value publishes another version.
   */
  get given(): string {
    return Fn.join(', ', this.#given)
  }

  private parameter(name: string, setting: string, description: string, allowedValues?: string[]): string {
    const allowed = allowedValues && { allowedValues }
    const parameter = new CfnParameter(this, name, { default: AS_SET, description, ...allowed })
    parameter.overrideLogicalId(name)
    const given = parameter.valueAsString
    this.#given.push(given)
    const isSet = new CfnCondition(this, `${name}IsSet`, { expression: Fn.conditionEquals(given, AS_SET) })
    isSet.overrideLogicalId(`${name}IsSet`)
    return Fn.conditionIf(isSet.logicalId, setting, given).toString()
  }
}
