import { Problem } from '../../problems/problem.ts'

export const throttled = (milliseconds: number) => {
  const seconds = String(Math.max(1, Math.ceil(milliseconds / 1000)))
  return new Problem('login_throttled', `Too many failed logins. Try again in ${seconds} s.`, {
    headers: { 'retry-after': seconds },
  })
}
