import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useScreenState, useSetSearch } from '../../data/search.ts'
import { flightdeck, type Template } from '../../flightdeck.ts'
import { useBlocked } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazily.tsx'
import { DeleteDialog } from '../../ui/objects/delete-dialog.tsx'
import { EditButton, MoreMenu } from '../../ui/objects/object-actions.tsx'
import { ObjectScreen } from '../../ui/objects/object-screen.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs, useTab } from '../../ui/tabs.tsx'
import { Details } from './details.tsx'
import { TemplateForm } from './form.tsx'
import { templateQuery } from './queries.ts'

const TemplateHistory = lazyPart(() => import('./history.tsx'))

export default function TemplateScreen() {
  const { id } = useParams({ from: '/templates/$id' })
  return (
    <ObjectScreen query={useQuery(templateQuery(id))}>
      {(template) => <TemplatePage template={template} />}
    </ObjectScreen>
  )
}

type Section = { id: string; name: string; content: (props: { template: Template }) => ReactNode }

const sections: readonly Section[] = [
  { id: 'overview', name: 'Overview', content: Details },
  { id: 'history', name: 'History', content: TemplateHistory },
]

function TemplatePage({ template }: { template: Template }) {
  const [{ open }, setSearch] = useScreenState()
  const close = () => setSearch({ open: undefined })
  const Content = useTab(sections).content
  return (
    <Page
      title={template.name}
      within={{ to: '/templates', name: 'Templates' }}
      actions={<Actions template={template} />}
    >
      <Tabs label="Sections of the template" tabs={sections} />
      <Suspense>
        <Content template={template} />
      </Suspense>
      {open === 'edit' && <TemplateForm template={template} onClose={close} onDone={close} />}
      {open === 'delete' && <DeleteTemplate template={template} onClose={close} />}
    </Page>
  )
}

function Actions({ template }: { template: Template }) {
  const setSearch = useSetSearch()
  const navigate = useNavigate()
  const mayUse = useBlocked('createCampaign')
  const mayDelete = useBlocked('deleteTemplate')
  return (
    <>
      <Button
        look="primary"
        blocked={mayUse}
        onClick={() => void navigate({ to: '/campaigns/new', search: { template: template.id } })}
      >
        New campaign from it
      </Button>
      <EditButton needs="updateTemplate" />
      <MoreMenu
        items={[
          {
            name: 'Delete…',
            danger: true,
            blocked: mayDelete,
            run: () => setSearch({ open: 'delete' }),
          },
        ]}
      />
    </>
  )
}

const DeleteTemplate = ({ template, onClose }: { template: Template; onClose: () => void }) => (
  <DeleteDialog
    name={template.name}
    kind="template"
    text="The template is deleted for good. Campaigns made from it stay as they are."
    run={(write) => flightdeck.templates.delete(template, write)}
    list="/templates"
    onClose={onClose}
  />
)
