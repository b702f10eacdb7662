package main

import (
	"fmt"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"
)

// picture is a moment of something that goes on: for a terminal, and in one line.
type picture interface {
	screen() string
	line() string
}

// viewer shows frames until the demo, or the run, has ended: on a terminal one in the place of the other, elsewhere a
// line every two seconds.
type viewer struct {
	frame     func() picture
	ended     <-chan struct{}
	interrupt func()
	in        io.Reader
	out       io.Writer

	interrupted bool
	last        string // what is on the terminal
}

func (v *viewer) show() error {
	if isTerminal(v.out) {
		return v.showLive()
	}
	return v.showLines()
}

func (v *viewer) showLines() error {
	for ticker := time.NewTicker(2 * time.Second); ; {
		select {
		case <-ticker.C:
		case <-v.ended:
			ticker.Stop()
			return nil
		}
		f := v.frame()
		if _, err := fmt.Fprintln(v.out, f.line()); err != nil {
			return err
		}
	}
}

func (v *viewer) showLive() error {
	var keys io.Reader // without any, Ctrl-C comes as a signal
	if isTerminal(v.in) {
		keys = v.in
	}
	_, err := tea.NewProgram(v, tea.WithOutput(v.out), tea.WithInput(keys), tea.WithoutSignalHandler()).Run()
	return err
}

// tick is a moment to look again.
type tick struct{}

func again() tea.Cmd {
	return tea.Tick(100*time.Millisecond, func(time.Time) tea.Msg { return tick{} })
}

// Init is part of tea.Model.
func (v *viewer) Init() tea.Cmd { return again() }

// Update is part of tea.Model.
func (v *viewer) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	switch message := message.(type) {
	case tea.KeyPressMsg:
		if key := message.String(); key != "ctrl+c" && key != "q" {
			return v, nil
		}
		if v.interrupted { // the second one does not wait
			return v, tea.Interrupt
		}
		v.interrupted = true
		v.interrupt()
	case tick:
		f := v.frame()
		v.last = "\n" + f.screen()
		select {
		case <-v.ended:
			return v, tea.Quit
		default:
			return v, again()
		}
	}
	return v, nil
}

// View is part of tea.Model.
func (v *viewer) View() tea.View { return tea.NewView(v.last) }
