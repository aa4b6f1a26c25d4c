import { ArnFormat, Lazy, Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import { Construct } from 'constructs'

/** A function, and where calls of it go that failed for good. */
type Target = IFunction & { readonly deadLetters: Pick<IQueue, 'queueArn'> }

/** Where the schedules of shows lie, and as whom they call the function that starts the show. */
export class ShowSchedules extends Construct {
  readonly groupName: string
  /** Assumed by the schedules of this group; may call their target and do nothing else. */
  readonly role: Role
  /** Covers every schedule of the group. */
  readonly scheduleArns: string
  /** ARN of the target, known once `call` has been told of it. */
  readonly targetArn: string
  /** ARN of the queue for calls of it that failed for good; known likewise. */
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

  /** Tells what schedules call: the function as it is at that time, not a version, since a schedule outlives deployments. */
  call(target: Target): void {
    this.#target = target
    this.role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [target.functionArn] }))
    this.role.addToPolicy(
      new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [target.deadLetters.queueArn] }),
    )
  }
}
