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
  readonly apiUrl: string
  /** The value that identifies the distribution to the watch function. */
  readonly originSecret: SigningSecret
  readonly webAclArn: string | undefined
}

/** Query parameters of a link. Others do not reach the function, so that they cannot bypass the cache. */
const LINK = Object.keys(watchQuery.shape)

/**
 * CloudFront in front of watch pages. Assets, which are the same for all viewers, are cached for longer. Answers to a link are
 * cached for ten seconds by the whole link, so that many viewers cause one request. Only the header Accept-Encoding reaches the
 * API, so routes with a token refuse these requests.
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
    const distribution = new Distribution(this, 'Front', {
      comment: `Watch pages of showrunner-${stage}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      ...(webAclArn !== undefined && { webAclId: webAclArn }),
      defaultBehavior: opened,
      additionalBehaviors: {
        '/assets/*': behavior('Assets', 300, CacheQueryStringBehavior.none()),
      },
    })
    suppress(distribution, 'CFR1', 'Geographic restrictions are a decision of a show’s owner, not of a deployment.')
    if (webAclArn === undefined) suppress(distribution, 'CFR2', 'A web ACL is a setting: watch.webAclArn.')
    suppress(distribution, 'CFR3', 'The access log of the API has every request that reaches a function.')
    suppress(distribution, 'CFR4', 'The certificate is CloudFront’s own, for which no minimum TLS version can be set.')
    this.url = `https://${distribution.distributionDomainName}`
  }
}
