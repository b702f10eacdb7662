// Package service is a module of its own that decides applications by the stable version of a job, with pkg/follow. Its test needs no
// broker.
package service

import (
	"context"
	"sync"

	"github.com/fairstream/fairstream/pkg/document"
	"github.com/fairstream/fairstream/pkg/follow"
)

// Service decides applications by the version that an alias points to.
type Service struct {
	Follower *follow.Follower

	mutex   sync.Mutex
	used    *follow.Model
	decider *document.Decider
}

// Decide decides one application, and says by which version.
func (s *Service) Decide(ctx context.Context, application []byte) (decision document.Decision, version int64, err error) {
	model, err := s.Follower.Wait(ctx) // at once, but for the first document
	if err != nil {
		return decision, 0, err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if model != s.used {
		if s.decider, err = model.Document.Decider(); err != nil {
			return decision, 0, err
		}
		s.used = model
	}
	decision, err = s.decider.DecideJSON(application)
	return decision, model.Version, err
}
