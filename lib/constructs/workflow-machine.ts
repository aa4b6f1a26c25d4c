import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnStateMachineVersion, DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { names } from '../show/document/fields/names.ts'
import type { TaskName } from '../tasks/tasks.ts'
import { suppress, suppressWildcards } from './access/nag-suppressions.ts'
import { readDefinition } from './deploy/definition.ts'
import type { Settings } from './deploy/settings.ts'
import { Log } from './log.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

export interface WorkflowMachineProps {
  readonly file: string
  readonly machineName: string
  readonly settings: Pick<Settings, 'logs' | 'tracing' | 'concurrency' | 'memory'>
  readonly functionOf: (task: TaskName) => ShowrunnerFunction
  /** Machines that it runs as children and waits for, by substitution. */
  readonly children?: Readonly<Record<string, WorkflowMachine>>
  /** Machines that it starts without waiting, by substitution. */
  readonly others?: Readonly<Record<string, WorkflowMachine>>
}

/** A state machine of an ASL file. It calls published versions, so a deployment changes no running execution. */
export class WorkflowMachine extends StateMachine {
  #version: CfnStateMachineVersion | undefined

  constructor(scope: Construct, id: string, props: WorkflowMachineProps) {
    const { file, machineName, settings, functionOf, children = {}, others = {} } = props
    const { logs, tracing, concurrency, memory } = settings
    const definition = readDefinition(file, { concurrency, memory })
    const functions = definition.tasks.map((task) => [names.substitution(task), functionOf(task)] as const)
    // Logs with this prefix do not count towards the size limit of the account's log policy.
    const logGroupName = `/aws/vendedlogs/states/${machineName}`
    super(scope, id, {
      stateMachineName: machineName,
      definitionBody: DefinitionBody.fromString(definition.text),
      definitionSubstitutions: Object.fromEntries([
        ...functions.map(([name, called]) => [name, called.currentVersion.functionArn]),
        ...Object.entries({ ...children, ...others }).map(([name, machine]) => [name, machine.versionArn]),
      ]),
      tracingEnabled: tracing,
      logs: {
        destination: new Log(scope, `${id}Log`, { logGroupName, days: logs.days }),
        level: LogLevel.ERROR,
        includeExecutionData: false,
      },
    })
    suppress(
      this,
      'SF1',
      'The history has every event for 90 days; the log has errors without data, since inputs are in the history.',
    )
    if (!tracing) suppress(this, 'SF2', 'The settings switch tracing off.')
    suppressWildcards(this, ['*'], 'X-Ray and the delivery of logs have no resources.')
    for (const [, called] of functions) grantInvokeVersions(this, called)
    for (const child of Object.values(children)) grantRunAndWait(this, child)
    for (const other of Object.values(others)) other.grantStartExecution(this)
  }

  /** The version that callers start. Earlier ones are retained, because running executions name them; AWS keeps 1,000. */
  get versionArn(): string {
    if (!this.#version) {
      const { stateMachineArn, stateMachineRevisionId } = this
      this.#version = new CfnStateMachineVersion(this, 'Version', { stateMachineArn, stateMachineRevisionId })
      this.#version.applyRemovalPolicy(RemovalPolicy.RETAIN)
    }
    return this.#version.ref
  }
}

/**
 * Grants every version of a function: executions that started before a deployment use the same role and call earlier versions.
 * For machines IAM checks the machine without its version (Step Functions developer guide, "Authorization for versions and
 * aliases").
 */
function grantInvokeVersions(machine: StateMachine, called: IFunction): void {
  const versions = `${called.functionArn}:*`
  machine.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [versions] }))
  suppressWildcards(machine, [versions], 'Running executions call the versions that they started with.')
}

/** Grants what `startExecution.sync:2` needs: to start, describe and stop the child, and the rule that reports its end. */
function grantRunAndWait(parent: StateMachine, child: StateMachine): void {
  child.grantStartExecution(parent)
  const { principalStatement } = child.grantExecution(parent, 'states:DescribeExecution', 'states:StopExecution')
  const executions = principalStatement?.resources ?? []
  suppressWildcards(parent, executions, 'The names of child executions are made at run time.')
  const managedRule = 'StepFunctionsGetEventsForStepFunctionsExecutionRule'
  parent.addToRolePolicy(
    new PolicyStatement({
      actions: ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
      resources: [Stack.of(parent).formatArn({ service: 'events', resource: 'rule', resourceName: managedRule })],
    }),
  )
}
