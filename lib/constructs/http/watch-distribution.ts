import { Duration, Fn } from 'aws-cdk-lib'
import {
  AllowedMethods,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import { Construct } from 'constructs'
import { ORIGIN_HEADER, watchQuery } from '../../api/watch-routes.ts'
import { suppress } from '../access/nag-suppressions.ts'
import type { SigningSecret } from '../signing-secret.ts'

export interface WatchDistributionProps {
  readonly stage: string
  /** Of the HTTP API, as its stack knows it. */
  readonly apiUrl: string
  /** The value by which the watch function knows the distribution. */
  readonly originSecret: SigningSecret
  readonly webAclArn: string | undefined
}

/** Parameters of a link; no others reach the function, so that made-up ones do not pass the cache by. */
const LINK = Object.keys(watchQuery.shape)

/**
 * CloudFront in front of watch pages. What is the same for everybody is kept longer; what a link opens is kept for ten seconds
 * by the whole link, so that a room full of people is one request. No header of a viewer reaches the API but for encodings:
 * routes that want a token refuse what comes this way.
 */
export class WatchDistribution extends Construct {
  readonly url: string

  constructor(scope: Construct, id: string, { stage, apiUrl, originSecret, webAclArn }: WatchDistributionProps) {
    super(scope, id)
    const origin = new HttpOrigin(Fn.select(2, Fn.split('/', apiUrl)), {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      customHeaders: { [ORIGIN_HEADER]: originSecret.secretValueFromJson('secret').unsafeUnwrap() },
    })
    const behavior = (name: string, seconds: number, query: CacheQueryStringBehavior) => ({
      origin,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: new CachePolicy(this, name, {
        cachePolicyName: `showrunner-${stage}-${name.toLowerCase()}`,
        minTtl: Duration.seconds(seconds),
        defaultTtl: Duration.seconds(seconds),
        maxTtl: Duration.seconds(seconds),
        queryStringBehavior: query,
        enableAcceptEncodingGzip: true,
        enableAcceptEncodingBrotli: false, // playlists are compressed by the function, as gzip
      }),
    })
    const opened = behavior('Opened', 10, CacheQueryStringBehavior.allowList(...LINK))
    const page = behavior('Page', 60, CacheQueryStringBehavior.none())
    const distribution = new Distribution(this, 'Front', {
      comment: `Watch pages of showrunner-${stage}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      defaultBehavior: page,
      // The first that matches counts.
      additionalBehaviors: {
        '/watch/*/recording': opened,
        '/watch/*/playlist': opened,
        '/assets/*': behavior('Assets', 300, CacheQueryStringBehavior.none()),
      },
    })
    suppress(
      distribution,
      'CFR1',
      'Where people may watch from is for the owner of a show to say, not for a deployment.',
    )
    if (webAclArn === undefined) suppress(distribution, 'CFR2', 'A web ACL is a setting: watch.webAclArn.')
    suppress(distribution, 'CFR3', 'The access log of the API has every request that reaches a function.')
    suppress(distribution, 'CFR4', 'The certificate is CloudFront’s own, for which the minimum cannot be set.')
    this.url = `https://${distribution.distributionDomainName}`
  }
}
