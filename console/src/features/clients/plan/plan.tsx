import { isProblem } from '@flightdeckhq/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { partKey } from '../../../data/keys.ts'
import { one, useScreenState } from '../../../data/search.ts'
import { useCurrencies } from '../../../data/values/currencies.ts'
import { addMonths, formatMonth, isMonth } from '../../../data/values/months.ts'
import { type Client, flightdeck } from '../../../flightdeck.ts'
import { useBlocked } from '../../../session.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Form, useForm } from '../../../ui/fields/form.ts'
import { Restored } from '../../../ui/forms/form-dialog.tsx'
import { ReasonField } from '../../../ui/forms/write-fields.tsx'
import { say } from '../../../ui/layers/toast.tsx'
import { Skeleton } from '../../../ui/lists/skeleton.tsx'
import { Notice, ProblemNotice, ReadFailed } from '../../../ui/notice.tsx'
import styles from './plan.module.css'
import { savePlan } from './save.ts'
import { PlanTable } from './table.tsx'
import { type BudgetMonth, doubtsIn, type PlanValues, stepsOf, valuesOf } from './values.ts'

const monthCount = 12

const budgetsOf = (client: Client, from: string | undefined) =>
  queryOptions({
    queryKey: partKey('clients', client.id, 'budgets', { from }),
    queryFn: async () =>
      (
        await flightdeck.clients.listBudgets(
          client,
          from === undefined ? {} : { from, to: addMonths(from, monthCount - 1) },
        )
      ).data,
  })

/** The budgets of twelve months, from the present one on or from the one in the address. */
export default function Plan({ client }: { client: Client }) {
  const [search] = useScreenState()
  const from = one(search.from)
  const query = useQuery(budgetsOf(client, isMonth(from) ? from : undefined))
  // Amounts are read with the decimals of their currency.
  const currencies = useCurrencies()
  const { data, error, refetch } = query
  if (error && !data) return <ReadFailed error={error} retry={() => void refetch()} />
  if (!data || currencies.length === 0) return <Skeleton rows={12} />
  return (
    <Months
      key={data[0]?.month}
      client={client}
      stored={data}
      reread={async () => (await refetch()).data ?? data}
    />
  )
}

type MonthsProps = {
  client: Client
  stored: readonly BudgetMonth[]
  reread: () => Promise<readonly BudgetMonth[]>
}

function Months({ client, stored, reread }: MonthsProps) {
  const months = stored.map(({ month }) => month)
  const { form, based, rebase } = usePlanForm(client, stored)
  const saving = usePlanSaving({ client, form, based, rebase, reread })
  const blocked = useBlocked('putClientBudget')
  return (
    <form
      className={styles.plan}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void saving.save()
      }}
    >
      <Restored form={form} />
      <Years months={months} />
      <PlanTable client={client} months={months} form={form} />
      {saving.notice}
      {form.isChanged && (
        <footer className={styles.foot}>
          <div className={styles.reason}>
            <ReasonField value={saving.reason} onChange={saving.setReason} />
          </div>
          <Button onClick={form.reset}>Discard</Button>
          <Button
            type="submit"
            look="primary"
            busy={saving.isBusy}
            blocked={blocked ?? (form.isDoubtful ? 'Some amount reads two ways.' : null)}
          >
            Save the plan
          </Button>
        </footer>
      )}
    </form>
  )
}

/** Edits stay on the plan that they began with, until it is read again for them. */
function usePlanForm(client: Client, stored: readonly BudgetMonth[]) {
  const [based, setBased] = useState(stored)
  const form = useForm<PlanValues>({
    draft: `plan ${client.id} ${stored[0]?.month}`,
    initial: valuesOf(stored),
    check: doubtsIn,
  })
  const rebase = (next: readonly BudgetMonth[]) => {
    setBased(next)
    form.rebase(valuesOf(next), null)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another plan changes it.
  useEffect(() => {
    if (!form.isChanged) rebase(stored)
  }, [stored])
  return { form, based, rebase }
}

type SavingProps = Omit<MonthsProps, 'stored'> & {
  form: Form<PlanValues>
  based: readonly BudgetMonth[]
  rebase: (stored: readonly BudgetMonth[]) => void
}

function usePlanSaving({ client, form, based, rebase, reread }: SavingProps) {
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const save = async () => {
    if (isBusy || form.isDoubtful || !form.isChanged) return
    setBusy(true)
    setError(null)
    try {
      const faults = await savePlan(client, stepsOf(form, based), { reason: reason ?? undefined })
      if (faults.size > 0) return form.setFaults(faults)
      rebase(await reread())
      form.reset()
      setReason(null)
      say('The plan is saved')
    } catch (thrown) {
      setError(thrown)
      // Some months may be stored by now, or were by another person.
      rebase(await reread())
    } finally {
      setBusy(false)
    }
  }
  const notice = isProblem(error, 'version_mismatch') ? (
    <Notice tone="warn" title="Another person changed the plan meanwhile.">
      <p>What they changed is shown; your edits stand above it. Look at them, and save again.</p>
    </Notice>
  ) : error ? (
    <ProblemNotice error={error} />
  ) : null
  return { isBusy, save, reason, setReason, notice }
}

function Years({ months }: { months: readonly string[] }) {
  const [, setSearch] = useScreenState()
  const [first = '', last = ''] = [months[0], months.at(-1)]
  const go = (count: number) => setSearch({ from: addMonths(first, count) })
  return (
    <div className={styles.years}>
      <Button small onClick={() => go(-monthCount)}>
        Earlier
      </Button>
      <span>
        {formatMonth(first)} to {formatMonth(last)}
      </span>
      <Button small onClick={() => go(monthCount)}>
        Later
      </Button>
    </div>
  )
}
