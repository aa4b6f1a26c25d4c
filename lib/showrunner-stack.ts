import { ArnFormat, CfnOutput, Lazy, Stack, type StackProps } from 'aws-cdk-lib'
import { type ILayerVersion, LayerVersion } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { apiFunction } from './api/api.ts'
import { joinFunction } from './api/invitations.ts'
import { watchFunction } from './api/watch-routes.ts'
import type { StackResources } from './constructs/access/grants.ts'
import { PlatformAccess } from './constructs/access/platform-access.ts'
import { removeRedundantDependencies } from './constructs/access/redundant-dependencies.ts'
import { Alarms } from './constructs/alarms.ts'
import { Credentials } from './constructs/credentials.ts'
import { ShowDashboard } from './constructs/dashboard.ts'
import { type Bundle, bundle } from './constructs/deploy/bundles.ts'
import { Parameters } from './constructs/deploy/parameters.ts'
import type { Settings } from './constructs/deploy/settings.ts'
import { tasksFor } from './constructs/deploy/tasks-for.ts'
import { toolsOfPublishing } from './constructs/deploy/tools.ts'
import { ShowHttpApi } from './constructs/http/show-api.ts'
import { WatchDistribution } from './constructs/http/watch-distribution.ts'
import { MediaBucket } from './constructs/media-bucket.ts'
import { OwnBus } from './constructs/own-bus.ts'
import { ShowSchedules } from './constructs/show-schedules.ts'
import { ShowrunnerFunction } from './constructs/showrunner-function.ts'
import { SigningSecret } from './constructs/signing-secret.ts'
import { CallbackTrigger, NotifyTrigger, PublishTrigger, SweepTrigger, UsageTrigger } from './constructs/triggers.ts'
import { WorkflowMachine, type WorkflowMachineProps } from './constructs/workflow-machine.ts'
import { names } from './show/document/fields/names.ts'
import { memoryOf } from './tasks/memory.ts'
import { showMachines } from './tasks/show-machines.ts'
import { lambdaOf, type TaskName, tasks } from './tasks/tasks.ts'

export interface ShowrunnerStackProps extends StackProps {
  /** Bundles the code of the functions. @default bundle */
  readonly bundle?: Bundle
}

/** The whole system: a bucket, a function for each task, six machines, and their triggers. */
export class ShowrunnerStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, props: ShowrunnerStackProps = {}) {
    super(scope, id, { ...props, description: 'Showrunner runs live video events unattended.' })
    const { stage } = settings
    const parameters = new Parameters(this, 'Parameters', settings)

    const bucket = new MediaBucket(this, 'Bucket', settings)
    const access = new PlatformAccess(this, 'PlatformAccess', { bucket, platform: settings.platform })
    const bus = new OwnBus(this, 'Bus', { eventBusName: `showrunner-${stage}` })
    const callbackSecret = new SigningSecret(this, 'CallbackSecret', {
      description: 'Signs callbacks to event apps, which verify them with it.',
      notRotated: 'Event apps have it as well, so it must be replaced in both places.',
    })
    const callbackKey = new SigningSecret(this, 'CallbackKey', {
      description:
        'Source of the key pair that signs callbacks to event apps, which fetch the public key from the API.',
      notRotated: 'Operators decide: "rotate callback-key" adds another key without an interruption.',
    })
    const watchSecret = new SigningSecret(this, 'WatchSecret', {
      description: 'Signs links to watch pages.',
      notRotated: 'A new value ends every link at once, so a person has to decide.',
    })
    const originSecret = settings.watch.cloudFront
      ? new SigningSecret(this, 'OriginSecret', {
          description: 'Sent by the distribution in front of watch pages with every request.',
          notRotated: 'CloudFront gets a new value only with a deployment.',
        })
      : undefined
    let watchOrigin = 'api'
    const platformCallbacks = new SigningSecret(new Construct(this, 'PlatformCallbacks'), 'Secret', {
      // Operators add others when they register callbacks separately.
      description: 'Secrets of the callbacks registered at the platform, by the end of their URL: { "all": "…" }',
      notRotated: 'The platform has it as well, and only a person can register another one there.',
      key: 'all',
    })
    const schedules = new ShowSchedules(this, 'Schedules', { groupName: `showrunner-${stage}` })
    const showSecrets = `showrunner/${stage}/shows/`

    // By name, because the machines depend on the functions that get these ARNs. Without a version, so that new shows and
    // publishes use the latest; only children of an execution use its versions.
    const machineName = (file: string) => `showrunner-${stage}-${file}`
    const machineArn = (file: string) =>
      this.formatArn({
        service: 'states',
        resource: 'stateMachine',
        resourceName: machineName(file),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      })
    const resources: StackResources = {
      bucket,
      access,
      bus,
      callbackSecret,
      callbackKey,
      watchSecret,
      originSecret,
      platformCallbacks,
      schedules,
      showSecretArns: this.formatArn({
        service: 'secretsmanager',
        resource: 'secret',
        resourceName: `${showSecrets}*`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
      showMachineArn: machineArn('show'),
      childMachineArns: showMachines.filter((name) => name !== 'show').map(machineArn),
      publishMachineArn: machineArn('publish'),
      parameters: parameters.given,
      environment: {
        BUCKET: bucket.bucketName,
        PLATFORM_URL: parameters.platformUrl,
        PLATFORM_AUTH_HEADER: settings.platform.authHeader,
        PLATFORM_CALLS_PER_SECOND: String(settings.limits.platformCallsPerSecond),
        PLATFORM_SECRET: access.projectSecret.secretArn,
        UPLOAD_SECRET: access.uploadKey.secretArn,
        UPLOAD_ENDPOINT: parameters.uploadEndpoint,
        UPLOAD_USER: access.uploader.userName,
        ACCOUNT_SECRET: access.accountSecret?.secretName ?? '',
        SHOW_MACHINE: machineArn('show'),
        PUBLISH_MACHINE: machineArn('publish'),
        TASK_MEMORY: JSON.stringify(settings.memory),
        MAX_PUBLISHES: String(settings.limits.maxConcurrentPublishes),
        SHOW_SECRETS: showSecrets,
        CALLBACK_SECRET: callbackSecret.secretArn,
        CALLBACK_KEY: callbackKey.secretArn,
        WATCH_SECRET: watchSecret.secretArn,
        WATCH_ORIGIN: Lazy.string({ produce: () => watchOrigin }), // the distribution depends on the API, which is created last
        JOIN_URL: parameters.joinUrl,
        ORIGIN_SECRET: originSecret?.secretArn ?? 'none',
        FRAME_ANCESTORS: settings.watch.embedIn.join(' ') || "'none'",
        CALLBACK_REACH: parameters.callbackReach,
        SCHEDULE_GROUP: schedules.groupName,
        SCHEDULE_ROLE: schedules.role.roleArn,
        SCHEDULE_TARGET: schedules.targetArn,
        SCHEDULE_DEAD_LETTERS: schedules.deadLettersArn,
        ROLE_CLAIM: settings.identity.roleClaim,
        VIEWER_ROLE: settings.identity.viewer,
        OPERATOR_ROLE: settings.identity.operator,
        ADMIN_ROLE: settings.identity.admin,
        INSIGHTS_URL: parameters.insightsUrl,
        INSIGHTS_PLAN: settings.platform.insights,
        PLATFORM_CALLBACKS: platformCallbacks.secretArn,
        EVENT_BUS: bus.eventBus.eventBusName,
        STAGE: stage,
        UNDELETE_DAYS: String(settings.bucket.undeleteDays),
        TOOLS: JSON.stringify(toolsOfPublishing()),
        LADDER: JSON.stringify(settings.ladder),
        FFMPEG_PATH: parameters.ffmpegPath,
      },
    }

    const ffmpegLayer = layerOf(this, settings.ffmpegLayer)
    const wanted = tasksFor(settings)
    const codeOf = (props.bundle ?? bundle)([...wanted, 'api', 'watch', 'join'].map(lambdaOf))
    const reserved = settings.reservedConcurrency
    const deployment = { settings, ffmpegLayer, resources }
    const taskFunctions = Object.fromEntries(
      wanted.map((task) => {
        const { summary: description, ...limits } = tasks[task]
        const reservedConcurrency = task === 'receiveCallback' ? reserved.callbacks : undefined
        const own = { ...limits, memory: memoryOf(task, settings.memory), reservedConcurrency }
        const props = { code: codeOf(lambdaOf(task)), description, ...own, ...deployment }
        return [task, new ShowrunnerFunction(this, names.substitution(task), props)]
      }),
    ) as unknown as Record<TaskName, ShowrunnerFunction>
    const functionOf = (task: TaskName) => taskFunctions[task]

    const machine = (file: string, reach: Pick<WorkflowMachineProps, 'children' | 'others'> = {}) =>
      new WorkflowMachine(this, `${names.substitution(file)}Machine`, {
        file,
        machineName: machineName(file),
        settings,
        functionOf,
        ...reach,
      })
    const RescueMachine = machine('rescue')
    const WatchMachine = machine('watch', { others: { RescueMachine } })
    const showMachine = machine('show', {
      children: { AudienceMachine: machine('audience'), WatchMachine, RescueMachine },
    })
    const machines = { show: showMachine, publish: machine('publish'), notify: machine('notify') }

    new Credentials(this, 'Credentials', { settings, access, functionOf })
    schedules.call(functionOf('startShow'))
    new SweepTrigger(this, 'SweepTrigger', { sweeper: functionOf('sweepShows'), showMachineArn: machineArn('show') })
    new NotifyTrigger(this, 'NotifyTrigger', { bus: bus.eventBus, stage, machine: machines.notify })
    new PublishTrigger(this, 'PublishTrigger', {
      ...{ bucket, starter: functionOf('startPublish') },
      publishMachineArn: machineArn('publish'),
    })
    new UsageTrigger(this, 'Usage', { recorder: functionOf('recordUsage') })
    const description = 'Answers the HTTP API.'
    const handler = new ShowrunnerFunction(this, 'Api', {
      code: codeOf(lambdaOf('api')),
      description,
      ...apiFunction,
      reservedConcurrency: reserved.api,
      ...deployment,
    })
    const watcher = new ShowrunnerFunction(this, 'Watch', {
      code: codeOf(lambdaOf('watch')),
      description: 'Serves the watch pages of recordings.',
      ...watchFunction,
      reservedConcurrency: reserved.watch,
      ...deployment,
    })
    const joiner = new ShowrunnerFunction(this, 'Join', {
      code: codeOf(lambdaOf('join')),
      description: 'Admits participants who have an invitation.',
      ...joinFunction,
      reservedConcurrency: reserved.join,
      ...deployment,
    })
    new CallbackTrigger(this, 'CallbackTrigger', { bus: bus.eventBus, callbackHandler: functionOf('handleCallback') })
    const receiver = functionOf('receiveCallback')
    const api = new ShowHttpApi(this, 'ShowApi', {
      ...{ handler, watcher, joiner, receiver },
      ...{ issuer: parameters.tokenIssuer, settings },
    })

    if (originSecret) {
      const { webAclArn } = settings.watch
      const front = new WatchDistribution(this, 'WatchDistribution', {
        stage,
        apiUrl: api.url,
        originSecret,
        webAclArn,
      })
      watchOrigin = front.url
      new CfnOutput(this, 'WatchUrl', { value: watchOrigin, description: 'Origin of watch pages.' })
    }

    // Last, because every existing queue gets an alarm.
    const { alarms } = new Alarms(this, 'Alarms', {
      ...{ settings, machines, apiId: api.apiId, refusals: api.refusals },
      sweeper: functionOf('sweepShows'),
      rotators: (['rotateUploadKey', 'rotateProjectSecret'] as const)
        .filter((task) => wanted.includes(task))
        .map(functionOf),
    })
    new ShowDashboard(this, 'Overview', { settings, alarms, machines })

    const outputs: Readonly<Record<string, readonly [value: string, description: string]>> = {
      ApiUrl: [api.url, 'URL of the API for event apps.'],
      ShowMachineArn: [showMachine.stateMachineArn, 'Machine whose executions are the shows.'],
      PublishMachineArn: [machines.publish.stateMachineArn, 'Machine whose executions publish recordings.'],
      BucketName: [bucket.bucketName, 'Recordings and records.'],
      ProjectSecretArn: [
        access.projectSecret.secretArn,
        'Secret for { "apiKey": "…", "apiSecret": "…" } of the platform project.',
      ],
      UploadKeySecretArn: [
        access.uploadKey.secretArn,
        'Key pair with which the platform uploads; rotated automatically.',
      ],
      ShowSecretsPrefix: [showSecrets, 'Prefix of the secrets that shows may refer to.'],
      PlatformCallbacksArn: [
        platformCallbacks.secretArn,
        'Secret with which to register callbacks at the platform: "all" for the API’s URL and /callbacks/all.',
      ],
      EventBusName: [bus.eventBus.eventBusName, 'Bus with the events of shows and recordings, for your rules.'],
      WatchSecretArn: [watchSecret.secretArn, 'Secret that signs links to watch pages. A new value ends every link.'],
      CallbackSecretArn: [
        callbackSecret.secretArn,
        'Secret that event apps can verify callbacks with until the next version. Prefer the public keys of the API.',
      ],
      CallbackKeySecretArn: [
        callbackKey.secretArn,
        'Secret of the callback signing key; "rotate callback-key" replaces it.',
      ],
    }
    for (const [name, [value, text]] of Object.entries(outputs)) new CfnOutput(this, name, { value, description: text })
  }

  protected override _toCloudFormation(): ReturnType<Stack['_toCloudFormation']> {
    const template = super._toCloudFormation()
    removeRedundantDependencies(template)
    return template
  }
}

const layerOf = (scope: Construct, arn: string | undefined): ILayerVersion | undefined =>
  arn === undefined ? undefined : LayerVersion.fromLayerVersionArn(scope, 'FfmpegLayer', arn)
