import { Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { WatchDistribution } from '../../../../lib/constructs/http/watch-distribution.ts'
import { SigningSecret } from '../../../../lib/constructs/signing-secret.ts'
import { readTemplate } from '../template.ts'

function synthesize(webAclArn?: string) {
  const stack = new Stack()
  const originSecret = new SigningSecret(stack, 'OriginSecret', { description: 'A secret.', notRotated: 'A test.' })
  new WatchDistribution(stack, 'Watch', {
    ...{ stage: 'live', originSecret, webAclArn },
    apiUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com',
  })
  const template = readTemplate(Template.fromStack(stack).toJSON())
  const [distribution] = Object.values(template.of('AWS::CloudFront::Distribution'))
  return { template, ...distribution?.properties.DistributionConfig }
}

describe('WatchDistribution', () => {
  it('asks the API by TLS only, with a secret that the template does not hold', () => {
    const [origin] = synthesize().Origins
    expect(origin).toMatchObject({
      DomainName: 'abc.execute-api.eu-west-1.amazonaws.com',
      CustomOriginConfig: { OriginProtocolPolicy: 'https-only' },
      OriginCustomHeaders: [
        {
          HeaderName: 'x-showrunner-origin',
          HeaderValue: expect.stringMatching(/^\{\{resolve:secretsmanager:<OriginSecret>:SecretString:secret::\}\}$/),
        },
      ],
    })
  })

  it('keeps what a link opens for ten seconds by the whole link, and what is the same for all for longer', () => {
    const { template, CacheBehaviors, DefaultCacheBehavior } = synthesize()
    const policies = template.of('AWS::CloudFront::CachePolicy')
    const policyOf = (id: string) => policies[id.slice(1, -1)]?.properties.CachePolicyConfig
    const kept = [...CacheBehaviors, DefaultCacheBehavior].map(({ PathPattern = '*', CachePolicyId }) => {
      const { MinTTL, MaxTTL, ParametersInCacheKeyAndForwardedToOrigin: parameters } = policyOf(CachePolicyId)
      const { QueryStrings } = parameters.QueryStringsConfig
      return { PathPattern, MinTTL, MaxTTL, QueryStrings }
    })
    const link = expect.arrayContaining(['file', 'expires', 'epoch', 'signature'])
    expect(kept).toEqual([
      { PathPattern: '/assets/*', MinTTL: 300, MaxTTL: 300, QueryStrings: undefined },
      { PathPattern: '*', MinTTL: 10, MaxTTL: 10, QueryStrings: link },
    ])
  })

  it('hands no header of viewers on, and takes GET and HEAD by https only', () => {
    const { CacheBehaviors, DefaultCacheBehavior } = synthesize()
    for (const behavior of [...CacheBehaviors, DefaultCacheBehavior]) {
      expect(behavior).toMatchObject({ AllowedMethods: ['GET', 'HEAD'], ViewerProtocolPolicy: 'redirect-to-https' })
      expect(behavior.OriginRequestPolicyId).toBeUndefined()
    }
  })

  it('has the web ACL of the settings', () => {
    const arn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/watch/1'
    expect([synthesize().WebACLId, synthesize(arn).WebACLId]).toEqual([undefined, arn])
  })
})
