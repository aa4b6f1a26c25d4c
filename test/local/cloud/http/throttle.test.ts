import { describe, expect, it } from 'vitest'
import { createThrottle } from '../../../../local/cloud/http/throttle.ts'
import { lambda, type SmallTemplate } from '../small-assembly.ts'
import { createSmallCloud } from '../small-cloud.ts'

describe('createThrottle', () => {
  /** Counts how many of a thousand requests pass at this second. */
  const passing = (mayPass: () => boolean) => Array.from({ length: 1000 }, mayPass).filter(Boolean).length

  it('lets a burst through at once, and as many a second as the rate says later', () => {
    let seconds = 0
    const mayPass = createThrottle({ rate: 10, burst: 50 }, () => seconds * 1000)
    const passed: number[] = []
    for (const time of [0, 0, 1, 1.25, 100]) {
      seconds = time
      passed.push(passing(mayPass))
    }
    expect(passed).toEqual([50, 0, 10, 2, 50])
  })

  it('lets nothing through when the burst is none', () => {
    expect(passing(createThrottle({ rate: 10, burst: 0 }, () => 0))).toBe(0)
  })
})

describe('createCloud, throttling its API', () => {
  const route = (RouteKey: string, more: object = {}) => ({
    Type: 'AWS::ApiGatewayV2::Route',
    Properties: { RouteKey, Target: { 'Fn::Sub': 'integrations/${Answer}' }, ...more },
  })
  const template = (stage: object, more: SmallTemplate['Resources'] = {}): SmallTemplate => ({
    Resources: {
      Work: lambda('a'),
      Logs: { Type: 'AWS::Logs::LogGroup' },
      Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
      Stage: {
        Type: 'AWS::ApiGatewayV2::Stage',
        Properties: {
          StageName: '$default',
          AutoDeploy: true,
          AccessLogSettings: { DestinationArn: { 'Fn::GetAtt': ['Logs', 'Arn'] }, Format: '$context.requestId' },
          ...stage,
        },
      },
      Answer: {
        Type: 'AWS::ApiGatewayV2::Integration',
        Properties: {
          IntegrationType: 'AWS_PROXY',
          IntegrationUri: { 'Fn::GetAtt': ['Work', 'Arn'] },
          PayloadFormatVersion: '2.0',
        },
      },
      Free: route('GET /free'),
      Strict: route('POST /strict'),
      ...more,
    },
  })
  const limits = (ThrottlingRateLimit: number, ThrottlingBurstLimit: number) => {
    return { ThrottlingRateLimit, ThrottlingBurstLimit, DetailedMetricsEnabled: true }
  }

  it('answers 429 to what is over the limits of the stage, or of the route', async () => {
    const settings = { DefaultRouteSettings: limits(1, 3), RouteSettings: { 'POST /strict': limits(1, 1) } }
    const { cloud, clock } = createSmallCloud(template(settings), { Work: () => ({ statusCode: 200 }) })
    const statuses = async (path: string, method = 'GET') => {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => cloud.api(new Request(`http://api.invalid${path}`, { method }))),
      )
      return answers.map(({ status }) => status)
    }
    expect(await statuses('/free')).toEqual([200, 200, 200, 429])
    expect(await statuses('/strict', 'POST')).toEqual([200, 429, 429, 429])
    await clock.advance(2000)
    expect(await statuses('/free')).toEqual([200, 200, 429, 429])
    const refused = await cloud.api(new Request('http://api.invalid/strict', { method: 'POST' }))
    await cloud.api(new Request('http://api.invalid/strict', { method: 'POST' }))
    expect(refused.status).toBe(200)
    const last = await cloud.api(new Request('http://api.invalid/strict', { method: 'POST' }))
    expect([last.status, await last.json()]).toEqual([429, { message: 'Too Many Requests' }])
  })

  it.each<[string, SmallTemplate, string]>([
    ['settings of no route', template({ RouteSettings: { 'GET /other': {} } }), 'there is no route GET /other'],
    ['other settings', template({ RouteSettings: { 'GET /free': { LoggingLevel: 'INFO' } } }), 'LoggingLevel of the'],
    ['other settings of all', template({ DefaultRouteSettings: { LoggingLevel: 'INFO' } }), 'LoggingLevel of Default'],
    ['IAM', template({}, { Signed: route('GET /signed', { AuthorizationType: 'AWS_IAM' }) }), '"AWS_IAM" of Signed'],
    [
      'cookies of other origins',
      template(
        {},
        {
          Api: {
            Type: 'AWS::ApiGatewayV2::Api',
            Properties: { ProtocolType: 'HTTP', CorsConfiguration: { AllowCredentials: true } },
          },
        },
      ),
      'AllowCredentials of CorsConfiguration',
    ],
  ])('refuses %s by name', (_what, wrong, message) => {
    expect(() => createSmallCloud(wrong)).toThrow(message)
  })
})
