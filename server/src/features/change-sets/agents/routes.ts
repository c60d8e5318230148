import { endpoint } from '../../../http/endpoint.ts'
import { readApiKeys, tag } from '../../api-keys/resource.ts'
import { AgentState } from './schema.ts'
import { agentState } from './state.ts'

export const agentEndpoints = [
  endpoint({
    operation: 'getApiKeyAgent',
    tag,
    summary: 'See how an agent does',
    method: 'GET',
    path: '/api_keys/:id/agent',
    permission: readApiKeys,
    reply: AgentState,
    problems: ['not_an_agent'],
    run: (ctx, { id }) => agentState(ctx, id),
  }),
]
