import { ArnFormat, Lazy, Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

/** A function, and the queue for its failed calls. */
type Target = IFunction & { readonly deadLetters: Pick<IQueue, 'queueArn'> }

/** The group of the schedules of shows, and the role in which they call the function that starts a show. */
export class ShowSchedules extends Construct {
  readonly groupName: string
  /** The role of the schedules of this group, which may only call their target. */
  readonly role: Role
  /** ARN pattern of every schedule of the group. */
  readonly scheduleArns: string
  /** ARN of the target, known after `call`. */
  readonly targetArn: string
  /** ARN of the queue for its failed calls, known after `call`. */
  readonly deadLettersArn: string
  #target: Target | undefined

  constructor(scope: Construct, id: string, { groupName }: { groupName: string }) {
    super(scope, id)
    const stack = Stack.of(this)
    const arnOf = (resource: string, resourceName: string) =>
      stack.formatArn({ service: 'scheduler', resource, resourceName, arnFormat: ArnFormat.SLASH_RESOURCE_NAME })
    this.groupName = new CfnScheduleGroup(this, 'Group', { name: groupName }).ref
    this.scheduleArns = arnOf('schedule', `${groupName}/*`)
    this.role = new Role(this, 'Role', {
      description: 'Calls the function that starts a scheduled show.',
      // Scheduler states the group as the source, not the schedule (Scheduler user guide, "Confused deputy prevention").
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': stack.account },
          ArnEquals: { 'aws:SourceArn': arnOf('schedule-group', groupName) },
        },
      }),
    })
    this.targetArn = Lazy.string({ produce: () => this.#target?.functionArn })
    this.deadLettersArn = Lazy.string({ produce: () => this.#target?.deadLetters.queueArn })
  }

  /** Sets the target of schedules: the latest function instead of a version, since a schedule outlives deployments. */
  call(target: Target): void {
    this.#target = target
    this.role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [target.functionArn] }))
    this.role.addToPolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [target.deadLetters.queueArn] }),
    )
  }
}
