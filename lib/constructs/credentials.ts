import { CustomResource, Duration, Stack } from 'aws-cdk-lib'
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events'
import type { User } from 'aws-cdk-lib/aws-iam'
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnRotationSchedule, type ISecret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct, type IConstruct } from 'constructs'
import type { PlatformAccess } from './access/platform-access.ts'
import { AsyncFunctionTarget } from './async-target.ts'
import type { Settings } from './deploy/settings.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

interface CredentialsProps {
  readonly settings: Settings
  readonly access: PlatformAccess
  readonly functionOf: (
    task: 'rotateUploadKey' | 'rotateProjectSecret' | 'manageProject' | 'deleteUploadKeys',
  ) => ShowrunnerFunction
}

/** Rotation and deletion of the credentials between Showrunner and the platform, as far as the settings enable them. */
export class Credentials extends Construct {
  constructor(scope: Construct, id: string, { settings, access, functionOf }: CredentialsProps) {
    super(scope, id)
    const { uploadKeyDays, projectSecretDays } = settings.rotation
    const { schedule: rotation } = new Rotation(this, 'UploadKey', {
      secret: access.uploadKey,
      rotator: functionOf('rotateUploadKey'),
      days: uploadKeyDays,
      followUp: Duration.hours(1), // nothing waits for the deletion of the former key
    })
    if (projectSecretDays !== undefined)
      new Rotation(this, 'ProjectSecret', {
        secret: access.projectSecret,
        rotator: functionOf('rotateProjectSecret'),
        days: projectSecretDays,
        followUp: Duration.minutes(5), // the time between two shows may be short
      })
    const { project: order, projectKey } = settings.platform
    const project = order && new PlatformProject(this, 'Project', { manager: functionOf('manageProject'), order })
    access.allowUploads(project?.apiKey ?? projectKey)
    new UploadKeys(this, 'UploadKeys', { deleter: functionOf('deleteUploadKeys'), uploader: access.uploader, rotation })
  }
}

interface PlatformProjectProps {
  readonly manager: IFunction
  readonly order: NonNullable<Settings['platform']['project']>
}

/** The platform project, which is created, suspended and deleted with the stack. */
class PlatformProject extends Construct {
  readonly apiKey: string

  constructor(scope: Construct, id: string, { manager, order }: PlatformProjectProps) {
    super(scope, id)
    // The function answers CloudFormation directly: CDK's provider framework would add functions and rights.
    const project = new CustomResource(this, 'Project', {
      resourceType: 'Custom::PlatformProject',
      serviceToken: manager.functionArn,
      properties: { Name: order.name, Status: order.status },
    })
    this.apiKey = project.getAttString('ApiKey')
  }
}

interface UploadKeysProps {
  readonly deleter: IFunction
  readonly uploader: User
  /** Constructs that must not create another key after the deletion. */
  readonly rotation: IConstruct
}

/** Deletes the keys that rotations have created with the stack: CloudFormation cannot delete a user that has keys. */
class UploadKeys extends Construct {
  constructor(scope: Construct, id: string, { deleter, uploader, rotation }: UploadKeysProps) {
    super(scope, id)
    // The function answers CloudFormation directly: CDK's provider framework would add functions and rights.
    const keys = new CustomResource(this, 'Keys', {
      resourceType: 'Custom::UploadKeys',
      serviceToken: deleter.functionArn,
      properties: { UserName: uploader.userName }, // orders the deletion: keys before their user
    })
    // CloudFormation deletes in the reverse order: the rotation and the right to upload go first.
    const policy = uploader.node.tryFindChild('DefaultPolicy')
    if (!policy) throw new Error(`${uploader.node.path} has no policy, which must be deleted before its keys.`)
    policy.node.addDependency(keys)
    rotation.node.addDependency(policy)
  }
}

interface RotationProps {
  readonly secret: Pick<ISecret, 'secretArn'>
  /** The function of a task that carries out rotation steps. */
  readonly rotator: ShowrunnerFunction
  readonly days: number
  /** Interval at which the function completes postponed work of a rotation. */
  readonly followUp: Duration
}

class Rotation extends Construct {
  readonly schedule: CfnRotationSchedule

  constructor(scope: Construct, id: string, { secret, rotator, days, followUp }: RotationProps) {
    super(scope, id)
    const permission = new CfnPermission(this, 'Permission', {
      action: 'lambda:InvokeFunction',
      functionName: rotator.functionArn,
      principal: 'secretsmanager.amazonaws.com',
      sourceAccount: Stack.of(this).account,
    })
    // The secret's own addRotationSchedule would grant the function more than its task needs.
    this.schedule = new CfnRotationSchedule(this, 'Schedule', {
      secretId: secret.secretArn,
      rotationLambdaArn: rotator.functionArn,
      rotationRules: { automaticallyAfterDays: days },
      rotateImmediatelyOnUpdate: false, // a deployment rotates nothing
    })
    this.schedule.addResourceDependency(permission)
    new Rule(this, 'FollowUp', {
      description: 'Completes postponed work of a rotation.',
      schedule: Schedule.rate(followUp),
      targets: [new AsyncFunctionTarget(rotator, { event: RuleTargetInput.fromObject({ Step: 'followUp' }) })],
    })
  }
}
