import { describe, expect, it } from 'vitest'
import { createStackAnswers } from '../../../lib/aws/stack-answers.ts'

const answer = {
  ...({ Status: 'SUCCESS', PhysicalResourceId: 'a', StackId: 'b', RequestId: 'c', LogicalResourceId: 'd' } as const),
}

describe('createStackAnswers', () => {
  it.each([
    'https://cloudformation-custom-resource-response-useast1.s3.amazonaws.com/x?X-Amz-Signature=y',
    'https://cloudformation-custom-resource-response-euwest1.s3-eu-west-1.amazonaws.com/x',
    'https://cloudformation-custom-resource-response-eucentral1.s3.eu-central-1.amazonaws.com/x',
    'https://cloudformation-custom-resource-response-cnnorth1.s3.cn-north-1.amazonaws.com.cn/x',
    'http://127.0.0.1:4001/cloudformation-custom-resource-response/x',
  ])('answers at %s', async (url) => {
    const asked: string[] = []
    const answers = createStackAnswers(async (input) => {
      asked.push(String(input))
      return new Response()
    }, 'http://127.0.0.1:4001')
    await answers(url, answer)
    expect(asked).toEqual([url])
  })

  it('answers on loopback only where AWS is reached there', async () => {
    const answers = createStackAnswers(async () => new Response())
    await expect(answers('http://127.0.0.1:4001/x', answer)).rejects.toThrow(
      'The ResponseURL is not an https URL of S3',
    )
  })
})
