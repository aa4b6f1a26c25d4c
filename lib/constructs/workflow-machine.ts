import { Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { DefinitionBody, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { names } from '../workflow/names.ts'
import type { TaskName } from '../workflow/tasks/tasks.ts'
import { readDefinition } from './definition.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

export interface WorkflowMachineProps {
  /** File under `statemachines/`, without its ending. */
  readonly file: string
  readonly machineName: string
  readonly functionOf: (task: TaskName) => ShowrunnerFunction
  /** Machines this one runs as children and waits for, by their substitution. */
  readonly children?: Readonly<Record<string, StateMachine>>
}

/** A state machine from its ASL file: every task's published version substituted, and the right to run just those. */
export class WorkflowMachine extends StateMachine {
  constructor(scope: Construct, id: string, { file, machineName, functionOf, children = {} }: WorkflowMachineProps) {
    const definition = readDefinition(file)
    const versions = definition.tasks.map(
      (task) => [names.substitution(task), functionOf(task).currentVersion] as const,
    )
    super(scope, id, {
      stateMachineName: machineName,
      definitionBody: DefinitionBody.fromString(definition.text),
      definitionSubstitutions: Object.fromEntries([
        ...versions.map(([name, version]) => [name, version.functionArn]),
        ...Object.entries(children).map(([name, machine]) => [name, machine.stateMachineArn]),
      ]),
      tracingEnabled: true,
    })
    for (const [, version] of versions) version.grantInvoke(this)
    for (const child of Object.values(children)) grantRunAndWait(this, child)
  }
}

/** What `startExecution.sync:2` needs: to start, see and stop the child, and the rule by which it learns of its end. */
function grantRunAndWait(parent: StateMachine, child: StateMachine): void {
  child.grantStartExecution(parent)
  child.grantExecution(parent, 'states:DescribeExecution', 'states:StopExecution')
  const managedRule = 'StepFunctionsGetEventsForStepFunctionsExecutionRule'
  parent.addToRolePolicy(
    new PolicyStatement({
      actions: ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
      resources: [Stack.of(parent).formatArn({ service: 'events', resource: 'rule', resourceName: managedRule })],
    }),
  )
}
