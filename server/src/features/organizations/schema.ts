import { Type } from 'typebox'
import { roles } from '../../kernel/permissions.ts'
import { choice, idOf, Name, orNull, Time, Version } from '../../kernel/shapes.ts'

export const plans = ['free', 'operator', 'captain', 'zion'] as const

export const Organization = Type.Object(
  {
    id: idOf('organization'),
    name: Type.String(),
    plan: choice(plans),
    status: choice(['active', 'suspended']),
    require_if_match: Type.Boolean({
      description: 'Whether every change must name the version it starts from (`If-Match`).',
    }),
    version: Version,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Organization' },
)
export type Organization = Type.Static<typeof Organization>

export const Member = Type.Object(
  {
    id: idOf('user'),
    email: Type.String(),
    name: Name,
    role: choice(roles),
    disabled: Type.Boolean(),
    last_login_at: orNull(Time),
    version: Version,
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Member' },
)
export type Member = Type.Static<typeof Member>
