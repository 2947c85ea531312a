//! Somebody who goes through the wizard and does what each step asks for.

use std::path::PathBuf;

use wizard::Wizard;
use wizard::view::{Action, Step, View};

pub const PASSWORD: &str = "lutin dehig becur";

/// Who goes, and by which way.
pub struct Person {
    /// Where keys and rescue copies go.
    pub stick: PathBuf,
    /// What is begun with.
    pub begins: fn() -> Action,
    /// What is done where speed could be measured.
    pub measures: fn() -> Action,
}

impl Person {
    /// Does it, waits for the end of it, and it must work.
    pub fn does(&self, wizard: &Wizard, action: Action) -> View {
        wizard.act(action);
        let view = wizard.wait();
        assert_eq!(view.fault, None, "{:?}", view.step);
        view
    }

    /// All that the step wants before the next one can come.
    pub fn settle(&self, wizard: &Wizard) {
        let stick = self.stick.display().to_string();
        let view = wizard.view();
        if view.can_go_on {
            return;
        }
        let action = match view.step {
            Step::Drives => (self.begins)(),
            Step::Before => Action::ConfirmBackup { confirmed: true },
            Step::Password => Action::SetPassword { password: PASSWORD.into(), repeated: PASSWORD.into() },
            Step::Recovery => Action::ExportRecovery { folder: stick },
            Step::Rescue => Action::WriteRescue { folder: stick },
            Step::BenchBefore | Step::BenchAfter => (self.measures)(),
            Step::TestStart => Action::TestStart { password: PASSWORD.into() },
            Step::Encrypt => Action::Encrypt { password: view.encrypt.needs_password.then(|| PASSWORD.into()) },
            Step::Check | Step::Report => return,
        };
        self.does(wizard, action);
    }

    /// Goes on until that step.
    pub fn go_to(&self, wizard: &Wizard, step: Step) -> View {
        for _ in 0..40 {
            if wizard.view().step == step {
                return wizard.view();
            }
            self.settle(wizard);
            self.does(wizard, Action::Next);
        }
        panic!("{step:?} is not reached");
    }
}
